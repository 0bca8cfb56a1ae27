"""Gives each request an address of its own: ten wrong tokens of one address are answered with 429, not with 401."""

import itertools

import requests

ADDRESSES = itertools.count()
SEND = requests.Session.send


def send(self, request, **kwargs):
    number = next(ADDRESSES)
    request.headers["X-Forwarded-For"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    return SEND(self, request, **kwargs)


requests.Session.send = send
