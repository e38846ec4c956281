import type { Origin } from '../../base/index.ts'
import type { Schema } from '../../data/index.ts'
import { labelName, type DiscoveredLabel } from '../../functions/logql/index.ts'
import { column, literal, not, test, type Expr } from '../../plan/index.ts'

/** The properties of a table that LogQL uses. */
export interface LogqlTable {
  readonly name: string
  readonly timeField: string
  readonly textField: string
  /** Fields whose values form the stream name, in order. */
  readonly streamFields: readonly string[]
  readonly schema: Schema
  /** Maps alternative field names, which senders may use, to field names. */
  readonly aliases: ReadonlyMap<string, string>
  /** Labels that every entry has, computed from fields with other names. */
  readonly discovered: readonly DiscoveredLabel[]
}

/** Returns the field that stores a stream label; `undefined` if the table has none. */
export function streamField({ streamFields }: LogqlTable, label: string): string | undefined {
  return streamFields.find((name) => labelName(name) === label)
}

export function isDeclared({ schema }: LogqlTable, name: string): boolean {
  return schema.fields.some((field) => field.name === name)
}

/** Returns an expression for the value of a label that every entry has. */
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
 * Returns an expression for the value of a label if only one field can contain it. `undefined` if several can: label
 * `a_b` may be field `a.b`.
 */
export function knownValue(table: LogqlTable, label: string, origin: Origin): Expr | undefined {
  const { aliases, discovered, streamFields, timeField, textField } = table
  const found = discovered.find((each) => each.label === label)
  if (found !== undefined) return valueOfDiscovered(found, origin)
  // In a plan, the alias would be resolved to its field.
  if (label === timeField || label === textField || aliases.has(label)) return undefined
  const isKnown = !label.includes('_') || streamFields.includes(label) || isDeclared(table, label)
  return isKnown ? column(label, origin) : undefined
}
