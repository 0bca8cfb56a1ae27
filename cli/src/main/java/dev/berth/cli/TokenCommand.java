package dev.berth.cli;

import picocli.CommandLine.Command;

/** Commands about tokens. */
@Command(
    name = "token",
    description = "Manage your access tokens.",
    subcommands = {TokenListCommand.class, TokenCreateCommand.class, TokenRevokeCommand.class})
final class TokenCommand extends CommandGroup {}
