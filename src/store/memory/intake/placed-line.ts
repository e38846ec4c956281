import type { Bytes } from '../../../base/index.ts'
import { latin1, type Value } from '../../../data/index.ts'
import type { LevelScale } from '../../../plan/index.ts'
import { placerOf, readLevel, type Placement, type PlacingTable, type ReadLevel } from '../../shapes/index.ts'
import type { ColumnBuilder } from '../column-builder.ts'
import type { FieldState } from '../field-state.ts'
import type { RowBuilder } from '../table/row-builder.ts'
import type { Tail } from '../tail.ts'

/** A column for incoming values, with its builder in the current tail. */
export class TailColumn {
  readonly #field: FieldState
  #builder: ColumnBuilder | undefined
  #tail: Tail | undefined

  constructor(field: FieldState) {
    this.#field = field
  }

  of(tail: Tail): ColumnBuilder {
    if (this.#tail === tail && this.#builder !== undefined) return this.#builder
    this.#tail = tail
    this.#builder = tail.builder(this.#field)
    return this.#builder
  }
}

/**
 * Where to store the value of a member, for lines in which the member has the same kind of value. Plain data, so that
 * it can be sent to scanners.
 */
export interface MemberTargets {
  readonly fields: readonly string[]
  readonly isTime: boolean
  /**
   * `own`: the member is the level. `copy`: the level is derived from the member, which is also stored as a field. If
   * the level is converted to a standard name, the field `.original` keeps its spelling.
   */
  readonly level: 'own' | 'copy' | undefined
}

/** Where to store the members of lines with the same names, only for fields that the table stores. Plain data. */
export interface LineTargets {
  readonly members: readonly MemberTargets[]
  readonly levels: LevelScale | undefined
  readonly defaultLevel: string | undefined
}

/** Returns where to store the members; `undefined` if this also depends on their values. */
export function lineTargets(
  placement: Placement,
  { timeField, levelField }: PlacingTable,
  keeps: (field: string) => boolean,
): LineTargets | undefined {
  if (!placement.isFlat) return undefined
  const { fields, level, levels, levelCopy, defaultLevel, copies } = placement
  const isLevelKept = levelField !== undefined && (keeps(levelField) || keeps(`${levelField}.original`))
  const members = fields.map((field, i): MemberTargets => {
    if (field === timeField) return { fields: [], isTime: true, level: undefined }
    const own = i === level ? [] : [field]
    const others = copies.flatMap(({ from, field: other }) => (from === i ? [other] : []))
    const isLevel = i === level || i === levelCopy
    return {
      fields: [...own, ...others].filter(keeps),
      isTime: false,
      level: !isLevel || !isLevelKept ? undefined : i === level ? 'own' : 'copy',
    }
  })
  return { members, levels, defaultLevel: isLevelKept ? defaultLevel : undefined }
}

export function isKept({ fields, isTime, level }: MemberTargets): boolean {
  return isTime || level !== undefined || fields.length > 0
}

/** A member and the columns that receive its value. */
export interface PlacedMember {
  readonly columns: readonly TailColumn[]
  readonly level: LevelColumns | undefined
}

/** The members of lines with the same names, and their columns. */
export interface PlacedLine {
  readonly members: readonly PlacedMember[]
  /** The index of the member with the time; -1 if there is none. */
  readonly timeAt: number
  readonly defaultLevel: { readonly column: TailColumn; readonly level: string } | undefined
}

/** Finds the columns of a table's fields. */
export class LineColumns {
  #sink: RowBuilder
  readonly #table: PlacingTable
  readonly #columns = new Map<FieldState, TailColumn>()

  constructor(sink: RowBuilder, table: PlacingTable) {
    this.#sink = sink
    this.#table = table
  }

  /** Continues with another table, which must share its fields with the previous one. */
  into(sink: RowBuilder): void {
    this.#sink = sink
  }

  /**
   * Returns the columns for lines with these distinct names. Returns `undefined` if they also depend on the values, or
   * if `line` would return `undefined`.
   */
  ofNames(names: readonly string[]): PlacedLine | undefined {
    const targets = lineTargets(placerOf(this.#table).of(names), this.#table, (field) => this.#sink.fields.keeps(field))
    return targets === undefined ? undefined : this.line(targets)
  }

  /**
   * Returns the columns for lines; `undefined` if a member needs a new column and the table has reached its limit of
   * columns.
   */
  line({ members, levels, defaultLevel }: LineTargets): PlacedLine | undefined {
    const { levelField = '' } = this.#table
    for (const { fields } of members)
      for (const name of fields) {
        if (!this.#sink.fields.hasColumn(name)) return undefined
        this.#column(name)
      }
    const column = this.#kept(levelField)
    return {
      members: members.map((member) => ({
        columns: member.fields.map((name) => this.#column(name)),
        level:
          member.level === undefined
            ? undefined
            : new LevelColumns(
                column,
                member.level === 'own' ? this.#kept(`${levelField}.original`) : undefined,
                levels,
                member.level === 'copy',
              ),
      })),
      timeAt: members.findIndex(({ isTime }) => isTime),
      defaultLevel: defaultLevel === undefined || column === undefined ? undefined : { column, level: defaultLevel },
    }
  }

  #kept(name: string): TailColumn | undefined {
    return this.#sink.fields.keeps(name) ? this.#column(name) : undefined
  }

  #column(name: string): TailColumn {
    const field = this.#sink.fields.field(name)
    const known = this.#columns.get(field)
    if (known !== undefined) return known
    const made = new TailColumn(field)
    this.#columns.set(field, made)
    return made
  }
}

/** A level as the sender wrote it, and its standard name. */
interface KnownLevel {
  readonly bytes: Uint8Array
  readonly read: ReadLevel
  /** The code of the level in the column's dictionary; 0 until the level is first stored. */
  code: number
}

/**
 * Maximum number of distinct levels of a request body that are cached. The cache is searched sequentially (bench
 * `protocols`, OTLP logs).
 */
const MAX_KNOWN_LEVELS = 16

/** Writes levels to their column, and the sender's spelling of converted levels to a second column. */
export class LevelColumns {
  readonly #level: TailColumn | undefined
  readonly #original: TailColumn | undefined
  readonly #levels: LevelScale | undefined
  readonly #isCopy: boolean
  readonly #known: KnownLevel[] = []

  constructor(
    level: TailColumn | undefined,
    original: TailColumn | undefined,
    levels: LevelScale | undefined,
    isCopy: boolean,
  ) {
    this.#level = level
    this.#original = original
    this.#levels = levels
    this.#isCopy = isCopy
  }

  addAscii(tail: Tail, row: number, bytes: Bytes, start: number, end: number): void {
    const known = this.#find(bytes, start, end)
    const { read } = known
    if (this.#isCopy && !read.isKnown) return
    const column = this.#level?.of(tail)
    if (column?.mode === 'codes') {
      const { dictionary } = column.field
      if (known.code === 0 || dictionary.isForgotten(known.code)) known.code = dictionary.entries.intern(read.level)
      column.addCode(row, known.code)
    } else column?.add(row, read.level)
    if (read.isRenamed) this.#original?.of(tail).addAscii(row, bytes, start, end)
  }

  add(tail: Tail, row: number, value: Value): void {
    const read = readLevel(value, this.#levels, this.#isCopy)
    if (this.#isCopy && !read.isKnown) return
    this.#level?.of(tail).add(row, read.level)
    if (read.isRenamed) this.#original?.of(tail).add(row, value)
  }

  #find(bytes: Bytes, start: number, end: number): KnownLevel {
    const length = end - start
    for (const known of this.#known) {
      if (known.bytes.length !== length) continue
      let i = 0
      while (i < length && known.bytes[i] === bytes[start + i]) i++
      if (i === length) return known
    }
    const read = readLevel(latin1(bytes, start, end), this.#levels, this.#isCopy)
    const made: KnownLevel = { bytes: new Uint8Array(bytes.subarray(start, end)), read, code: 0 }
    if (this.#known.length === MAX_KNOWN_LEVELS) this.#known.length = 0
    this.#known.push(made)
    return made
  }
}
