/** Counts the outcomes of requests by kind of load, and records unexpected ones. */
export class Statuses {
  readonly #counts = new Map<string, Map<string, number>>()
  readonly unexplained: string[] = []

  /** Counts a status. `isExplained` means that a caller with this load must expect it. */
  count(load: string, status: string, isExplained: boolean): void {
    const counts = this.#counts.get(load) ?? new Map<string, number>()
    this.#counts.set(load, counts)
    counts.set(status, (counts.get(status) ?? 0) + 1)
    if (!isExplained && this.unexplained.length < 100) this.unexplained.push(`${load}: ${status}`)
  }

  /** True if each of these loads has had at least one outcome. */
  hasAll(loads: readonly string[]): boolean {
    return loads.every((load) => this.#counts.has(load))
  }

  get total(): number {
    return [...this.#counts.values()].flatMap((counts) => [...counts.values()]).reduce((sum, count) => sum + count, 0)
  }

  toString(): string {
    const lines = [...this.#counts].map(([load, counts]) => {
      const told = [...counts].toSorted(([, a], [, b]) => b - a).map(([status, count]) => `${count}x ${status}`)
      return `  ${load.padEnd(12)} ${told.join(', ')}`
    })
    return lines.join('\n')
  }
}
