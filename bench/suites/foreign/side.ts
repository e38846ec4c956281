import type { Backend } from '../../../src/backends/index.ts'
import type { Catalog } from '../../../src/plan/index.ts'
import type { FieldMapping, ForeignColumn, TableMapping } from '../../../src/backends/sql/index.ts'
import type { AnswerRow } from '../../peers/peer.ts'
import type { Question } from '../../questions.ts'

/** A database with the data in a table `logs`, asked by us and by a person. */
export interface Side {
  readonly backend: Backend & { readonly catalog: Catalog }
  /** What a person writes for a question; marks as in `fillSql`. */
  readonly sqlOf: (question: Question) => string
  /** What the statement of a person promises less than ours, by question. */
  readonly promisesLess: Readonly<Record<string, string>>
  /** Runs a statement of a person's and gives its rows as JavaScript values. */
  readonly byHand: (sql: string) => Promise<readonly AnswerRow[]>
  /** Processor time of the database and of this process up to now, milliseconds. */
  readonly processorMs: () => number
  readonly close: () => Promise<void>
}

/** Means of floats as databases add them: other rows beside them, or more threads, and the last digits differ. */
export const plainMeans: Side['promisesLess'] = Object.fromEntries(
  ['Q23', 'Q26', 'Q33'].map((id) => [id, 'its mean depends on the order of adding']),
)

/** The mapping of the table, whose columns are called as its fields are, and the time `t` in nanoseconds. */
export function logsMapping(columns: readonly ForeignColumn[], timeType: string): TableMapping {
  const fields = columns
    .filter(({ name }) => name !== 't')
    .map(({ name, type, isNullable }): FieldMapping => ({
      name,
      column: name,
      path: [],
      type: 'any',
      nativeType: type,
      isNullable,
      aliases: [],
    }))
  return {
    name: 'logs',
    source: { kind: 'table', path: ['logs'] },
    time: { field: '_time', column: 't', nativeType: timeType, isNullable: false, unit: 'ns' },
    textField: 'content',
    streamFields: [],
    fields,
    attributes: [],
    tieBreak: ['seq'],
    domain: undefined,
    words: undefined,
  }
}

/** Processor time of this process, milliseconds. */
export function ownMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
