/** Lets what concerns the same thing happen one after the other. */
export class InTurn {
  private readonly last = new Map<string, Promise<unknown>>();

  run<T>(thing: string, work: () => Promise<T>): Promise<T> {
    const run = (this.last.get(thing) ?? Promise.resolve()).then(work);
    // A turn that fails is its caller's to hear of; the next one comes all the same.
    const over: Promise<void> = run.then(
      () => this.forget(thing, over),
      () => this.forget(thing, over),
    );
    this.last.set(thing, over);
    return run;
  }

  private forget(thing: string, over: Promise<void>): void {
    if (this.last.get(thing) === over) this.last.delete(thing);
  }
}
