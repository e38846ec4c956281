import { utf8Length } from '../../../data/index.ts'
import { ExpansionFault } from '../faults.ts'
import { textOfBytes, utf8Bytes } from '../format/utf8.ts'
import { GoInt64, GoMap, isList, typeName, type GoValue } from '../values.ts'
import { onValue, type FunctionTable } from './definition.ts'

function lengthOf(value: GoValue): number | undefined {
  if (typeof value === 'string') return utf8Length(value)
  if (value instanceof GoMap) return value.entries.size
  return isList(value) ? value.length : undefined
}

/** Converts a value to an index from 0 to `limit`. Throws a fault for other values. */
function indexOf(index: GoValue, limit: number): number {
  const value = index instanceof GoInt64 ? index.value : index
  if (typeof value !== 'bigint') {
    const type = typeName(value)
    const go = `cannot index slice/array with type ${type}`
    throw new ExpansionFault(`cannot index with a value of type ${type}`, { go })
  }
  if (value < 0n || value > BigInt(limit)) throw new ExpansionFault(`index out of range: ${value}`)
  return Number(value)
}

function memberOf(value: GoValue, index: GoValue): GoValue {
  if (value === null) throw new ExpansionFault('index of untyped nil')
  if (value instanceof GoMap) {
    if (typeof index !== 'string')
      throw new ExpansionFault(`a key of a map must be string, not ${typeName(index)}`, {
        go: `value has type ${typeName(index)}; should be string`,
      })
    return value.get(index)
  }
  if (typeof value === 'string') {
    const bytes = utf8Bytes(value)
    return BigInt(bytes[indexOf(index, bytes.length - 1)] ?? 0)
  }
  if (isList(value)) return value[indexOf(index, value.length - 1)] ?? null
  throw new ExpansionFault(`cannot index a value of type ${typeName(value)}`, {
    go: `can't index item of type ${typeName(value)}`,
  })
}

function sliceOf(value: GoValue, indexes: readonly GoValue[]): GoValue {
  if (value === null) throw new ExpansionFault('slice of untyped nil')
  if (indexes.length > 3) throw new ExpansionFault(`too many slice indexes: ${indexes.length}`)
  const items = typeof value === 'string' ? utf8Bytes(value) : value
  const isText = items instanceof Uint8Array
  if (!isText && !isList(items))
    throw new ExpansionFault(`cannot slice a value of type ${typeName(value)}`, {
      go: `can't slice item of type ${typeName(value)}`,
    })
  if (isText && indexes.length === 3) throw new ExpansionFault('cannot slice a string with 3 indexes')
  const bounds = indexes.map((index) => indexOf(index, items.length))
  const [from = 0, to = items.length, most = items.length] = bounds
  if (from > to || to > most) throw new ExpansionFault(`invalid slice indexes: ${bounds.join(', ')}`)
  return isText ? textOfBytes(items.slice(from, to)) : items.slice(from, to)
}

export const collectionFunctions: FunctionTable = {
  len: onValue((value) => {
    const length = lengthOf(value)
    if (length === undefined)
      throw new ExpansionFault(`a value of type ${typeName(value)} has no length`, {
        go: `len of type ${typeName(value)}`,
      })
    return BigInt(length)
  }),
  index: {
    parameters: ['any'],
    rest: 'any',
    call: ([value = null, ...indexes]) => {
      if (value === null) throw new ExpansionFault('index of untyped nil')
      return indexes.reduce(memberOf, value)
    },
  },
  slice: {
    parameters: ['any'],
    rest: 'any',
    call: ([value = null, ...indexes]) => sliceOf(value, indexes),
  },
  call: {
    parameters: ['any'],
    rest: 'any',
    call: ([value = null]) => {
      throw new ExpansionFault(`cannot call a value of type ${typeName(value)}`)
    },
  },
}
