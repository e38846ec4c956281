import type { Backend } from '../../../src/backends/index.ts'
import type { Catalog } from '../../../src/plan/index.ts'
import type { FieldMapping, ForeignColumn, TableMapping } from '../../../src/backends/sql/index.ts'
import type { AnswerRow } from '../../peers/peer.ts'
import type { Question } from '../../questions.ts'

/** A database with the data in a table `logs`, queried by our statements and by an expert's. */
export interface Side {
  readonly backend: Backend & { readonly catalog: Catalog }
  /** Returns the expert's statement for a question, with the placeholders of `fillSql`. */
  readonly sqlOf: (question: Question) => string
  /** For each question, the guarantees that the expert's statement lacks and ours has. */
  readonly promisesLess: Readonly<Record<string, string>>
  /** Runs the expert's statement and returns its rows as JavaScript values. */
  readonly byHand: (sql: string) => Promise<readonly AnswerRow[]>
  /** Returns the processor milliseconds of the database and of this process so far. */
  readonly processorMs: () => number
  readonly close: () => Promise<void>
}

/** Questions with means of floats, whose last digits depend on the order of addition in a database. */
export const plainMeans: Side['promisesLess'] = Object.fromEntries(
  ['Q23', 'Q26', 'Q33'].map((id) => [id, 'its mean depends on the order of adding']),
)

/** Returns the mapping of the table. Columns are named as the fields, with the time `t` in nanoseconds. */
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

/** Returns the processor milliseconds of this process. */
export function ownMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
