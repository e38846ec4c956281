import { BATCH_ROWS, oncePer, type Budget } from '../../base/index.ts'
import {
  Instant,
  batchOfRows,
  columnOfValues,
  constantColumn,
  createBitmap,
  field,
  readTime,
  recordBatch,
  rowBytes,
  scalarOf,
  setBit,
  valueBytes,
  type Column,
  type RecordBatch,
  type Row,
  type Schema,
  type Value,
} from '../../data/index.ts'
import type { ScanRequest, TableDefinition } from '../../plan/index.ts'
import { ColumnBuilder, FieldState, RowOrder, columnBytes, sealColumn } from '../memory/index.ts'
import { FieldReader, OPAQUE, addFieldNames, isPlain, type PlainObject } from './field-reader.ts'
import { rowOfObject, wantedMembers } from './object-row.ts'

/** Maximum size of the cached columns of one array, bytes. The same as the default memory limit of a query. */
const MAX_KEPT_BYTES = 256 * 2 ** 20

/** Memory of the reference to each member that is stored with its column, bytes. */
const MEMBER_BYTES = 8

/** Consecutive objects of an array that form one batch. */
interface Chunk {
  readonly number: number
  /** The index of the chunk's first object in the array. */
  readonly start: number
  readonly objects: readonly object[]
  readonly rowsOfArray: number
}

/** A column of a chunk, and the members of objects from which it was made. */
interface KeptColumn {
  /** The members as they were when the column was made. A `Date` is copied, because it can be changed. */
  readonly members: readonly unknown[]
  /** The column; `undefined` if no row has a value. */
  readonly column: Column | undefined
  readonly bytes: number
}

/** The cached columns of one field, by chunk of the array. */
class KeptField {
  readonly isTime: boolean
  bytes = 0
  readonly #reader: FieldReader
  readonly #chunks: (KeptColumn | undefined)[] = []
  #state: FieldState

  constructor(name: string, isTime: boolean) {
    this.isTime = isTime
    this.#reader = new FieldReader(name)
    this.#state = emptyState(name)
  }

  /**
   * Returns the cached column of a chunk if the objects still have the values from which it was made; otherwise
   * `undefined`.
   */
  current(chunk: number, objects: readonly PlainObject[]): KeptColumn | undefined {
    const kept = this.#chunks[chunk]
    if (kept?.members.length !== objects.length) return undefined
    let row = 0
    for (const object of objects) if (!isSame(this.#reader.read(object), kept.members[row++])) return undefined
    return kept
  }

  /** Caches a column; returns by how many bytes the cache has grown. */
  keep(chunk: number, made: KeptColumn): number {
    const bytes = made.bytes - (this.#chunks[chunk]?.bytes ?? 0)
    this.#chunks[chunk] = made
    this.bytes += bytes
    return bytes
  }

  /** Returns a column made from objects; `undefined` if they must be read as whole rows. Throws `budget/memory`. */
  made(objects: readonly PlainObject[], rowsOfArray: number, budget: Budget): KeptColumn | undefined {
    const members: unknown[] = []
    const values: Value[] = []
    let held = 0
    try {
      for (const object of objects) {
        const member = this.#reader.read(object)
        const value = valueOf(member, this.isTime)
        if (value === OPAQUE) return undefined
        const bytes = MEMBER_BYTES + valueBytes(value)
        held += bytes
        budget.charge(bytes)
        members.push(member instanceof Date ? new Date(member.getTime()) : member)
        values.push(value)
      }
      // If the dictionary has more entries than the array has rows, most of its entries are outdated.
      if (this.#state.dictionary.size > rowsOfArray + 1) this.#state = emptyState(this.#state.name)
      const { dictionary } = this.#state
      const dictionaryBytes = dictionary.memoryBytes
      const column = this.isTime ? timeColumn(values) : columnOf(values, this.#state)
      const ownBytes = column === undefined ? 0 : columnBytes(column)
      const bytes = members.length * MEMBER_BYTES + ownBytes + dictionary.memoryBytes - dictionaryBytes
      return { members, column, bytes }
    } finally {
      budget.charge(-held)
    }
  }
}

/**
 * Returns a new state for a field. In it, strings that rarely repeat stay plain, since only queries over this array use
 * the dictionary.
 */
function emptyState(name: string): FieldState {
  return new FieldState(name, true, true)
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a instanceof Date) return b instanceof Date && Object.is(a.getTime(), b.getTime())
  return Number.isNaN(a) && Number.isNaN(b)
}

/**
 * Returns the value of a member. For the time field, returns `OPAQUE` for all that is not a time, since it belongs to
 * another field.
 */
function valueOf(member: unknown, isTime: boolean): Value | typeof OPAQUE {
  if (member === OPAQUE) return OPAQUE
  const value = scalarOf(member) ?? null
  if (!isTime || value === null || value instanceof Instant) return value
  const ns = readTime(value, { nowNs: 0n })
  return ns === undefined ? OPAQUE : new Instant(ns)
}

function columnOf(values: readonly Value[], state: FieldState): Column | undefined {
  const builder = new ColumnBuilder(state)
  for (const [row, value] of values.entries()) builder.add(row, value)
  return sealColumn(builder, new RowOrder(values.length, undefined), false)?.column
}

/** Returns a column of instants; `undefined` if all values are missing. */
function timeColumn(values: readonly Value[]): Column | undefined {
  const times = values.map((value) => (value instanceof Instant ? value.ns : undefined))
  const present = times.filter((ns) => ns !== undefined)
  const [first] = present
  if (first === undefined) return undefined
  const baseNs = present.reduce((least, ns) => (ns < least ? ns : least), first)
  const deltas = Float64Array.from(times, (ns) => (ns === undefined ? NaN : Number(ns - baseNs)))
  if (deltas.some((delta) => delta >= 2 ** 53)) return columnOfValues(values)
  const { length } = values
  if (present.length === length) return { kind: 'time', length, baseNs, deltas, validity: undefined }
  const validity = createBitmap(length)
  for (const [row, ns] of times.entries()) if (ns !== undefined) setBit(validity, row)
  return { kind: 'time', length, baseNs, deltas, validity }
}

function arePlain(objects: readonly object[]): objects is readonly PlainObject[] {
  // A loop, because `every` would skip holes.
  for (const object of objects) if (!isPlain(object)) return false
  return true
}

/**
 * Returns the field names of plain objects, in the order of their rows; `undefined` if the objects must be read as
 * whole rows.
 */
function fieldNames(objects: readonly PlainObject[]): Iterable<string> | undefined {
  const names = new Set<string>()
  return objects.every((object) => addFieldNames(object, names)) ? names : undefined
}

/** Converts objects to rows. Throws SluiceError `table/…` for an object that is no row, and `budget/memory`. */
function rowsOf(
  { objects, start }: Chunk,
  { name, timeField }: TableDefinition,
  columns: readonly string[] | undefined,
  budget: Budget,
): readonly Row[] {
  const isWanted = columns === undefined ? undefined : wantedMembers(columns)
  const rows: Row[] = []
  let held = 0
  try {
    for (const object of objects) {
      const row = rowOfObject(object, { table: name, index: start + rows.length }, timeField, isWanted)
      const bytes = rowBytes(row)
      held += bytes
      budget.charge(bytes)
      rows.push(row)
    }
    return rows
  } finally {
    budget.charge(-held)
  }
}

/**
 * The cached columns of one array. A column is made when a query first reads it. Before it is used again, each row's
 * member is compared with the one from which the column was made, so answers always reflect the current objects.
 */
export class ArrayColumns {
  /** The fields by name, the least recently read first. */
  readonly #fields = new Map<string, KeptField>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes = MAX_KEPT_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** Memory of the cached columns, bytes. */
  get keptBytes(): number {
    return this.#bytes
  }

  batch(chunk: Chunk, definition: TableDefinition, { columns, budget }: ScanRequest): RecordBatch {
    const { fields, isOpen } = definition.schema
    const declared: Schema = { isOpen, fields: fields.filter(({ name }) => columns?.includes(name) !== false) }
    const { objects } = chunk
    const names = arePlain(objects) ? (columns ?? fieldNames(objects)) : undefined
    if (names === undefined) return batchOfRows(declared, rowsOf(chunk, definition, columns, budget))
    const { timeField } = definition
    const byName = new Map<string, Column>()
    const opaque: string[] = []
    for (const name of names) {
      budget.checkpoint()
      // This field has the values of the time field that are not times; rows with a time lack it.
      const isText = timeField !== undefined && name === `${timeField}.text`
      const kept = isText ? undefined : this.#column(name, name === timeField, chunk, budget)
      if (kept === undefined) opaque.push(name)
      else if (kept.column !== undefined) byName.set(name, kept.column)
    }
    if (opaque.length > 0) {
      const rest = batchOfRows({ fields: [], isOpen: true }, rowsOf(chunk, definition, opaque, budget))
      for (const [i, { name }] of rest.schema.fields.entries()) {
        const column = rest.columns[i]
        if (column !== undefined && !byName.has(name)) byName.set(name, column)
      }
    }
    const known = new Set(declared.fields.map(({ name }) => name))
    const others = [...byName.keys()].filter((name) => !known.has(name))
    const all = [...declared.fields, ...others.map((name) => field(name, 'any', 'dynamic'))]
    const missing = constantColumn(null, objects.length)
    return recordBatch(
      { fields: all, isOpen },
      objects.length,
      all.map(({ name }) => byName.get(name) ?? missing),
    )
  }

  /** Returns a column from the cache, or makes it; `undefined` if the objects must be read as whole rows. */
  #column(name: string, isTime: boolean, chunk: Chunk, budget: Budget): KeptColumn | undefined {
    const objects = chunk.objects as readonly PlainObject[]
    const found = this.#fields.get(name)
    const isFound = found?.isTime === isTime
    if (found !== undefined) this.#drop(name, isFound ? 0 : found.bytes)
    const kept = isFound ? found : new KeptField(name, isTime)
    this.#fields.set(name, kept)
    const current = kept.current(chunk.number, objects)
    if (current !== undefined) return current
    const made = kept.made(objects, chunk.rowsOfArray, budget)
    if (made !== undefined && this.#hasRoom(made.bytes, kept)) this.#bytes += kept.keep(chunk.number, made)
    return made
  }

  /** Returns true if `bytes` more fit into the cache. Evicts less recently read fields than `wanted` to make room. */
  #hasRoom(bytes: number, wanted: KeptField): boolean {
    for (const [name, oldest] of this.#fields) {
      if (this.#bytes + bytes <= this.#maxBytes || oldest === wanted) break
      this.#drop(name, oldest.bytes)
    }
    return this.#bytes + bytes <= this.#maxBytes
  }

  #drop(name: string, bytes: number): void {
    this.#fields.delete(name)
    this.#bytes -= bytes
  }
}

/** The cached columns of each array. They exist as long as their array, and all engines share them. */
const columnsOf = oncePer((_: readonly object[]) => new ArrayColumns())

/**
 * Yields the current rows of an array in batches. The first batches are small, so that a query for few rows reads few.
 */
export function* batchesOfArray(
  objects: readonly object[],
  definition: TableDefinition,
  request: ScanRequest,
  columns = columnsOf(objects),
): Generator<RecordBatch> {
  let size = 1
  for (let number = 0, start = 0; start < objects.length; number++) {
    const chunk = { number, start, objects: objects.slice(start, start + size), rowsOfArray: objects.length }
    yield columns.batch(chunk, definition, request)
    start += size
    size = Math.min(BATCH_ROWS, size * 2)
  }
}
