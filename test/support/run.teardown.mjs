export default function teardown() {
  return globalThis.stopTestDatabase();
}
