package dev.berth.cli;

import picocli.CommandLine.Command;

/** Commands about tokens. */
@Command(
    name = "token",
    description = "Look after your tokens, with which programs act for you.",
    subcommands = {TokenListCommand.class, TokenCreateCommand.class, TokenRevokeCommand.class})
final class TokenCommand extends CommandGroup {}
