import type { Manifest, PartEntry, TableEdit } from '../durable/index.ts'
import type { FolderEdits } from './folder-edits.ts'
import type { PersistedTable } from './persisted-table.ts'
import type { Turnover } from './figures.ts'
import { overdue, type Retention } from './retention.ts'
import type { NamedRowGroup } from './table-files.ts'

export interface ExpiryOptions {
  readonly manifest: Pick<Manifest, 'state' | 'commit'>
  readonly edits: FolderEdits
  readonly retention: Retention | undefined
  readonly nowNs: () => bigint
  readonly turnover: Turnover
  /** Cancels a running merge and resolves when none is running. Called before row groups expire. */
  readonly releaseParts: () => Promise<void>
}

/**
 * Returns the manifest edit that removes expired row groups. A part that loses all of its row groups is removed
 * entirely.
 */
function withoutRowGroups(
  parts: readonly PartEntry[],
  expired: readonly NamedRowGroup[],
): { readonly remove: readonly string[]; readonly gone: Required<TableEdit>['gone'] } {
  const remove: string[] = []
  const gone: (readonly [string, readonly number[]])[] = []
  for (const part of parts) {
    const numbers = expired.filter(({ name }) => name === part.name).map(({ number }) => number)
    if (numbers.length === 0) continue
    const all = [...(part.gone ?? []), ...numbers]
    if (all.length === part.rowGroups.length) remove.push(part.name)
    else gone.push([part.name, all])
  }
  return { remove, gone }
}

/**
 * Removes whole row groups that are older than the retention period or beyond the size limit. Tables that receive few
 * rows are sealed regularly, so that their rows can expire too.
 */
export class Expiry {
  readonly #options: ExpiryOptions

  constructor(options: ExpiryOptions) {
    this.#options = options
  }

  /** Closes each tail whose oldest row has waited for 1/8 of the table's retention period. */
  closeIdleTails(tables: Iterable<PersistedTable>): void {
    const { retention, nowNs } = this.#options
    if (retention === undefined) return
    for (const { table, aging } of tables) {
      const ageNs = retention.ageNs.get(table.definition.name)
      if (ageNs !== undefined) aging.seal(table.tails, ageNs, nowNs())
    }
  }

  /** Removes all overdue row groups with one manifest edit. */
  async dropOverdue(tables: Iterable<PersistedTable>): Promise<void> {
    const { retention, manifest, nowNs, edits, turnover, releaseParts } = this.#options
    if (retention === undefined) return
    if (overdue(manifest.state, retention, nowNs()).length === 0) return
    await releaseParts()
    const due = new Set(overdue(manifest.state, retention, nowNs()).map(({ name, number }) => `${name} ${number}`))
    const tableEdits: TableEdit[] = []
    const afterCommit: (() => void)[] = []
    for (const persisted of tables) {
      const expired = [...persisted.rowGroups.values()].filter(({ name, number }) => due.has(`${name} ${number}`))
      if (expired.length === 0) continue
      const { backend, table } = persisted
      const edit = withoutRowGroups(edits.parts(persisted), expired)
      tableEdits.push({ backend, table: table.definition.name, ...edit })
      afterCommit.push(() => {
        table.segments.replace(new Set(expired.map(({ segment }) => segment)), [])
        for (const { segment } of expired) persisted.rowGroups.delete(segment)
        edits.leave(backend, edit.remove)
        turnover.expiredSegments += expired.length
      })
    }
    if (tableEdits.length === 0) return
    await manifest.commit({ tables: tableEdits })
    for (const each of afterCommit) each()
    edits.changed()
  }
}
