/**
 * Measures the time without a change of the heartbeat of a thread or process, counting only time in which it could run.
 */
export class Stall {
  #beat = 0
  #coreWaitMs = 0
  #ms = 0

  /**
   * Must be called about every `stepMs` with the thread's heartbeat and its total time without a core, in milliseconds.
   * Returns the milliseconds since the last heartbeat, not counting time without a core and time in which the whole
   * process was stopped.
   */
  observe(beat: number, coreWaitMs: number, stepMs: number): number {
    const couldRunMs = Math.max(0, stepMs - (coreWaitMs - this.#coreWaitMs))
    this.#ms = beat === this.#beat ? this.#ms + couldRunMs : 0
    this.#beat = beat
    this.#coreWaitMs = coreWaitMs
    return this.#ms
  }
}
