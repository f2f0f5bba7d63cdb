export default function teardown() {
  return globalThis.endTestRun();
}
