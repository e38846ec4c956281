import { runCooperatively, present } from '../../../base/index.ts'
import type { PartEntry } from '../../durable/index.ts'
import type { Segment } from '../../memory/index.ts'
import type { Turnover } from '../figures.ts'
import type { FolderEdits } from '../folder-edits.ts'
import type { PersistedTable } from '../persisted-table.ts'
import { mergeable, merged, unreadable } from './merge.ts'
import { BackgroundThrottle } from './background-throttle.ts'

export interface RowMergerOptions {
  readonly edits: FolderEdits
  readonly turnover: Turnover
  /** Called when a merge failed. Its row groups are not tried again until the next start. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Merges small row groups by rewriting their rows, one merge at a time. Otherwise a table that receives few rows would
 * get one part per seal.
 */
export class RowMerger {
  readonly #options: RowMergerOptions
  readonly #pace = new BackgroundThrottle()
  /** The names of parts that could not be read. */
  readonly #failed = new Set<string>()

  constructor(options: RowMergerOptions) {
    this.#options = options
  }

  /**
   * Runs one merge if it is due. Returns true if the merge failed and should be tried at once with other row groups.
   */
  async run(tables: Iterable<PersistedTable>): Promise<boolean> {
    if (!this.#pace.isTime) return false
    for (const persisted of tables) {
      const parts = this.#options.edits
        .parts(persisted)
        .filter(({ name, rowGroups }) => rowGroups.length === 1 && !this.#failed.has(name))
      const names = new Set(parts.map(({ name }) => name))
      const small = mergeable([...persisted.rowGroups.values()].filter(({ name }) => names.has(name)))
      if (small.length === 0) continue
      const chosen = new Set(small.map(({ name }) => name))
      const old = parts.filter(({ name }) => chosen.has(name))
      const segments = small.map(({ segment }) => segment)
      let mayRetry = false
      await this.#pace.run(async () => {
        mayRetry = await this.#merge(persisted, old, segments)
      })
      return mayRetry
    }
    return false
  }

  async #merge(persisted: PersistedTable, parts: readonly PartEntry[], small: readonly Segment[]): Promise<boolean> {
    const { edits, turnover, onFailure } = this.#options
    try {
      const segment = await runCooperatively(merged(persisted.table, small))
      await edits.replace(persisted, parts, { without: new Set(small), by: [segment] })
      turnover.mergedSegments += small.length
      return false
    } catch (error) {
      // Excludes only the damaged row groups, so that the others can still be merged.
      const damaged = await runCooperatively(unreadable(small))
      for (const segment of damaged.length > 0 ? damaged : small)
        this.#failed.add(present(persisted.rowGroups.get(segment)).name)
      onFailure(error)
      return damaged.length > 0
    }
  }
}
