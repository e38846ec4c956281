/** Counters of what tests read, since the last `take`: rows listed by indexes, and bytes of columns. */
export class Counters {
  postingsRead = 0
  bytesTouched = 0

  /** Calls `see` for each counter, then resets all of them. */
  take(see: (name: string, amount: number) => void): void {
    if (this.postingsRead > 0) see('postingsRead', this.postingsRead)
    if (this.bytesTouched > 0) see('bytesTouched', this.bytesTouched)
    this.postingsRead = 0
    this.bytesTouched = 0
  }
}
