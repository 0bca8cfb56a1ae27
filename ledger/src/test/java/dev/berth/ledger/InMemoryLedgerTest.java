package dev.berth.ledger;

class InMemoryLedgerTest extends LedgerContract {
  @Override
  Ledger openLedger() {
    return new InMemoryLedger();
  }
}
