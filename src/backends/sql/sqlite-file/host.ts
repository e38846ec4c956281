import { toText, type Value, type ValueTest } from '../../../data/index.ts'
import { encodeNumber, type SqlValue } from '../../../store/sqlite/index.ts'
import { sqlAnd, type SqlExpr } from '../ast.ts'
import type { Host } from '../block.ts'
import type { Cell } from '../cell.ts'
import { sqliteHost } from '../sqlite-host.ts'
import { wordRowsOf } from './words.ts'

/** The column behind a value that is read from one as it is. */
export function columnOf({ sql }: Cell): SqlExpr | undefined {
  return sql.kind === 'call' && sql.name === 'host-native' ? sql.args[0] : undefined
}

/** What a column may hold that has this text: the text, a number that is written so, bytes as text or as digits. */
function storedAs(value: Value): readonly SqlValue[] {
  const text = toText(value)
  const number = Number(text)
  const stored: SqlValue[] = [text, Buffer.from(text)]
  if (text.trim() !== '' && Number.isFinite(number)) stored.push(encodeNumber(number))
  if (/^(?:[0-9a-f]{2})+$/.test(text)) stored.push(Buffer.from(text, 'hex'))
  for (const limit of [Infinity, -Infinity]) if (text === toText(limit)) stored.push(limit)
  if (/^-?\d{16,19}$/.test(text)) {
    const whole = BigInt(text)
    if (whole === BigInt.asIntN(64, whole)) stored.push(whole)
  }
  return stored
}

const MAX_VALUES = 64

/** A comparison of the column that its indexes know, which leaves out no row that passes. */
function lookUp(c: Cell, test: ValueTest): SqlExpr | undefined {
  const column = columnOf(c)
  if (column === undefined || (test.kind !== 'equals' && test.kind !== 'in') || test.isFolded) return undefined
  const values = test.kind === 'equals' ? [test.value] : test.values
  // What equals a missing value is not found by comparing.
  if (values.length === 0 || values.length > MAX_VALUES || values.some((value) => toText(value) === ''))
    return undefined
  if (values.some((value) => typeof value !== 'string' && typeof value !== 'number')) return undefined
  // A typed comparison takes other spellings of a number for the same.
  if (test.isTyped && values.some((value) => !Number.isNaN(Number(toText(value))))) return undefined
  if (!values.every((value) => toText(value).isWellFormed())) return undefined
  return { kind: 'in', arg: column, values: values.flatMap(storedAs), isNegated: false }
}

/** Host code over columns of someone else's making, which indexes help where a value is looked up. */
export const sqliteFileHost: Host = {
  ...sqliteHost,
  test: (c, test, isPositive, place) => {
    const holds = sqliteHost.test(c, test, isPositive, place)
    const found = isPositive ? (lookUp(c, test) ?? wordRowsOf(columnOf(c), test)) : undefined
    return found === undefined ? holds : sqlAnd([found, holds])
  },
}
