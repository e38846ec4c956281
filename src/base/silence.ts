/** For how long a thread, or a process, whose beat stands still could have moved it. */
export class Silence {
  #beat = 0
  #coreWaitMs = 0
  #ms = 0

  /**
   * To be told in steps of about `stepMs` of the thread's beat and for how long it had waited for a core so far; gives its silence,
   * milliseconds. A thread that has no core says nothing either, and is not stuck; nor is the one whose process as a whole was stopped.
   */
  look(beat: number, coreWaitMs: number, stepMs: number): number {
    const couldRunMs = Math.max(0, stepMs - (coreWaitMs - this.#coreWaitMs))
    this.#ms = beat === this.#beat ? this.#ms + couldRunMs : 0
    this.#beat = beat
    this.#coreWaitMs = coreWaitMs
    return this.#ms
  }
}
