import type { Origin } from '../../base/index.ts'
import type { Schema } from '../../data/index.ts'
import { labelName, type DiscoveredLabel } from '../../functions/logql/index.ts'
import { column, literal, not, test, type Expr } from '../../plan/index.ts'

/** The names and fields of a table that LogQL reads. */
export interface LogqlTable {
  readonly name: string
  readonly timeField: string
  readonly textField: string
  /** Fields whose values name the stream, in order. */
  readonly streamFields: readonly string[]
  readonly schema: Schema
  /** Other names of fields, under which they may be sent. */
  readonly aliases: ReadonlyMap<string, string>
  /** Labels that stand for fields of other names. */
  readonly discovered: readonly DiscoveredLabel[]
}

/** The field behind a label of the streams of a table. */
export function streamField({ streamFields }: LogqlTable, label: string): string | undefined {
  return streamFields.find((name) => labelName(name) === label)
}

export function isDeclared({ schema }: LogqlTable, name: string): boolean {
  return schema.fields.some((field) => field.name === name)
}

/** The value of a label that every entry has. */
export function valueOfDiscovered({ fields, otherwise }: DiscoveredLabel, origin: Origin): Expr {
  return {
    kind: 'case',
    branches: fields.map((name) => ({
      when: not(test(column(name, origin), { kind: 'empty' }, origin), origin),
      value: column(name, origin),
    })),
    otherwise: literal(otherwise, origin),
    origin,
  }
}

/**
 * The value of a label that every entry has under this name alone. `undefined` if other fields may have it too: a label
 * `a_b` may be a field `a.b`.
 */
export function knownValue(table: LogqlTable, label: string, origin: Origin): Expr | undefined {
  const { aliases, discovered, streamFields, timeField, textField } = table
  const found = discovered.find((each) => each.label === label)
  if (found !== undefined) return valueOfDiscovered(found, origin)
  // A name in a plan that is an alias would be the field.
  if (label === timeField || label === textField || aliases.has(label)) return undefined
  const isKnown = !label.includes('_') || streamFields.includes(label) || isDeclared(table, label)
  return isKnown ? column(label, origin) : undefined
}
