/** Measures how long a thread or process with an unchanged heartbeat could have run. */
export class Stall {
  #beat = 0
  #coreWaitMs = 0
  #ms = 0

  /**
   * Must be called about every `stepMs` with the thread's heartbeat and the time for which it has waited for a core;
   * returns its silence in milliseconds. A thread without a core, and one whose whole process was stopped, is not
   * stuck.
   */
  look(beat: number, coreWaitMs: number, stepMs: number): number {
    const couldRunMs = Math.max(0, stepMs - (coreWaitMs - this.#coreWaitMs))
    this.#ms = beat === this.#beat ? this.#ms + couldRunMs : 0
    this.#beat = beat
    this.#coreWaitMs = coreWaitMs
    return this.#ms
  }
}
