import { cached, oncePer } from '../../base/index.ts'
import type { LevelScale, RecordShape, RecordTableDefinition } from '../../plan/index.ts'

/** The parts of a table definition that determine the fields of members. */
export type PlacingTable = Pick<RecordTableDefinition, 'timeField' | 'textField' | 'aliases' | 'levelField' | 'shapes'>

/** A member whose value is also stored in a second field. */
export interface PlacedCopy {
  /** The index of the member in the record. */
  readonly from: number
  readonly field: string
}

/**
 * The fields of the members of records that have the same names in the same order. Members are given by their index.
 */
export interface Placement {
  /**
   * For each member, the name of its field. A time member that is not used as the record's time has the name
   * `<time field>.<name>`.
   */
  readonly fields: readonly string[]
  /**
   * Members that may have the time, the most likely first. If they are not the time, all except the first keep their
   * names.
   */
  readonly times: readonly number[]
  /** Two members with seconds and nanoseconds, used for the time if no single member has it. */
  readonly timeParts: readonly [number, number] | undefined
  /**
   * Members with a date, a time of day and a zone offset (-1 if there is none), used for the time if no earlier
   * candidate has it.
   */
  readonly clock: readonly [date: number, clock: number, zone: number] | undefined
  /** Members that are tried for the time last. They keep their names. */
  readonly otherTimes: readonly number[]
  /** The member that becomes the level; -1 if there is none. */
  readonly level: number
  readonly levels: LevelScale | undefined
  /** The member from which the level is copied if no member becomes the level; -1 if there is none. */
  readonly levelCopy: number
  readonly defaultLevel: string | undefined
  readonly copies: readonly PlacedCopy[]
  /** The member whose value may be a text with a line end or a list of bytes; -1 if there is none. */
  readonly rawText: number
  /** True if the fields depend on the names only, so that a reader may store values unchanged. */
  readonly isFlat: boolean
}

export const SERVICE_FIELD = 'workload'
export const TRACE_FIELD = 'trace_id'
export const SPAN_FIELD = 'span_id'
/** Members in which Google Cloud writes a trace id as part of a path, after the name of the project. */
const PATH_NAMES: ReadonlySet<string> = new Set(['logging.googleapis.com/trace', 'trace'])
/** Members that journald writes as lists of bytes if their values are not valid UTF-8. */
const BYTES_NAMES: ReadonlySet<string> = new Set(['MESSAGE'])

/**
 * True if the member has a trace id in a path, `projects/p/traces/<id>`. Only the part after the last slash is stored.
 */
export function isPath(field: string | undefined, name: string | undefined): boolean {
  return field === TRACE_FIELD && name !== undefined && PATH_NAMES.has(name)
}

/** Suffixes of a member inside an object that represents a time: both forms of MongoDB's `$date`, and PHP's `date`. */
const MEMBERS = ['', '.$date', '.$date.$numberlong', '.date']
/** Suffixes of two members with seconds and nanoseconds, as written by protobuf, Firestore and log4j. */
const PARTS = [
  ['.seconds', '.nanos'],
  ['.seconds', '.nanoseconds'],
  ['._seconds', '._nanoseconds'],
  ['.epochsecond', '.nanoofsecond'],
] as const
/**
 * Names of members with a date. `CLOCKS` and `ZONES` are names of a time of day and a zone offset in the same record.
 */
const DATES = ['date', 'day', 'log_date', 'logdate']
const CLOCKS = ['time', 'time_of_day', 'log_time', 'logtime', 'clock']
const ZONES = ['tz', 'timezone', 'zone', 'utc_offset']

interface Rank {
  readonly field: string
  /** The precedence of the name. The lowest rank is used. */
  readonly rank: number
}

/** Members that may have the time, besides the members whose name always denotes the time. */
interface OtherTimes extends Pick<Placement, 'clock' | 'otherTimes'> {
  /** Members with another spelling of a time name, or inside an object with a time name. */
  readonly variants: readonly number[]
  /** Two members, with seconds and nanoseconds, inside an object with a time name. */
  readonly ofOther: [number, number] | undefined
}

/** Maximum number of names that are recorded for a table. The records of one source have fewer. */
export const MAX_MET_NAMES = 4096

/** Computes the placement of each list of names once. */
export class Placer {
  readonly #table: PlacingTable
  readonly #ranks = new Map<string, Rank>()
  readonly #any: readonly RecordShape[]
  readonly #order: ReadonlyMap<RecordShape, number>
  /** For each member name, the shapes for which it is the first of the members that a record must have. */
  readonly #byMark = new Map<string, RecordShape[]>()
  readonly #scales = new Map<string, LevelScale>()
  readonly #lineNames = new Set<string>()
  readonly #mattering = new Set<string>()
  /** All time names in lower case, the most likely first. */
  readonly #timeNames: readonly string[]
  /** Number of names at the start of `#timeNames` that are the time field and its aliases. */
  readonly #usualTimes: number
  /** Names that occurred in records, and the fields that they got; at most the first `MAX_MET_NAMES`. */
  readonly met = new Set<string>()
  readonly #known = new Map<string, Placement>()
  #last: { readonly names: readonly string[]; readonly placement: Placement } | undefined

  constructor(table: PlacingTable) {
    this.#table = table
    this.#order = new Map((table.shapes ?? []).map((shape, i) => [shape, i] as const))
    let rank = 0
    for (const [name, field] of table.aliases) this.#ranks.set(name, { field, rank: rank++ })
    for (const field of new Set([table.timeField, ...table.aliases.values()]))
      if (!this.#ranks.has(field)) this.#ranks.set(field, { field, rank: -1 })
    const any: RecordShape[] = []
    for (const shape of table.shapes ?? []) {
      const mark = shape.has?.[0]
      if (mark === undefined) any.push(shape)
      else this.#byMark.set(mark, [...(this.#byMark.get(mark) ?? []), shape])
      if (shape.hasLineEnd === true) for (const name of shape.text ?? []) this.#lineNames.add(name)
      if (shape.levels !== undefined && mark === undefined)
        for (const name of shape.level ?? []) this.#scales.set(name, shape.levels)
    }
    this.#any = any
    const aliases = Array.from(table.aliases).flatMap(([name, field]) =>
      field === table.timeField ? [name.toLowerCase()] : [],
    )
    const others = (table.shapes ?? []).flatMap(({ otherTimes = [] }) => otherTimes)
    const usual = new Set([table.timeField, ...aliases])
    this.#usualTimes = usual.size
    this.#timeNames = others.length === 0 ? [] : [...new Set([...usual, ...others])]
    this.#addMattering()
  }

  /** True if the presence of a member with this name can change the placement of a record. */
  matters(name: string): boolean {
    return this.#mattering.has(name) || this.#isTimeName(name.toLowerCase())
  }

  #isTimeName(lower: string): boolean {
    if (this.#timeNames.length > 0 && (CLOCKS.includes(lower) || DATES.includes(lower) || ZONES.includes(lower)))
      return true
    return this.#timeNames.some(
      (name) =>
        lower === name ||
        (lower.startsWith(name) &&
          [...MEMBERS, ...PARTS.flat()].some(
            (member) => lower.length === name.length + member.length && lower.endsWith(member),
          )),
    )
  }

  #addMattering(): void {
    const { timeField, textField, levelField, aliases, shapes = [] } = this.#table
    const all = this.#mattering
    for (const name of [timeField, textField, SERVICE_FIELD, TRACE_FIELD, SPAN_FIELD]) all.add(name)
    if (levelField !== undefined) all.add(levelField)
    for (const [name, field] of aliases) all.add(name).add(field)
    for (const shape of shapes) {
      const { has, text, level, time, timeParts, service, trace, span, fields = {} } = shape
      for (const names of [has, text, level, time, timeParts, service, trace, span, ...Object.values(fields)])
        for (const name of names ?? []) all.add(name)
      for (const field of Object.keys(fields)) all.add(field)
    }
  }

  /** Returns the placement for distinct names, in the order of the record. */
  of(names: readonly string[]): Placement {
    const last = this.#last
    if (last !== undefined && last.names.length === names.length && last.names.every((name, i) => name === names[i]))
      return last.placement
    const placement = cached(this.#known, names.join('\u0000'), () => this.#placementOf(names))
    this.#last = { names: [...names], placement }
    return placement
  }

  #placementOf(names: readonly string[]): Placement {
    const { timeField, textField, levelField } = this.#table
    const at = new Map(names.map((name, i) => [name, i] as const))
    const fields = [...names]
    const indexesByField = new Map<string, number[]>()
    names.forEach((name, i) => {
      const field = this.#ranks.get(name)?.field ?? (name === levelField ? name : undefined)
      if (field !== undefined) indexesByField.set(field, [...(indexesByField.get(field) ?? []), i])
    })
    const rankOf = (index: number): number => this.#ranks.get(names[index] ?? '')?.rank ?? -1
    for (const indexes of indexesByField.values()) indexes.sort((a, b) => rankOf(a) - rankOf(b))
    for (const [field, indexes] of indexesByField) {
      for (const [i, index] of indexes.entries()) fields[index] = i === 0 ? field : `${field}.${names[index]}`
    }
    const times = [...(indexesByField.get(timeField) ?? [])]
    const shapes = this.#shapesOf(at)
    const copies: PlacedCopy[] = []
    const taken = new Set(fields)
    const copy = (field: string, candidates: readonly string[] | undefined): void => {
      if (taken.has(field)) return
      const name = candidates?.find((each) => at.has(each))
      if (name === undefined) return
      taken.add(field)
      copies.push({ from: at.get(name) ?? 0, field })
    }
    let levels: LevelScale | undefined
    let levelCopy = -1
    let defaultLevel: string | undefined
    let timeParts: [number, number] | undefined
    const level = levelField === undefined ? -1 : (indexesByField.get(levelField)?.[0] ?? -1)
    if (level !== -1) levels = this.#scales.get(names[level] ?? '')
    for (const shape of shapes) {
      const { has } = shape
      if (level !== -1 && has !== undefined) levels ??= shape.levels
      if (level === -1 && levelCopy === -1 && levelField !== undefined && has !== undefined) {
        levelCopy = indexOf(at, shape.level)
        if (levelCopy !== -1) levels = shape.levels
      }
      defaultLevel ??= shape.defaultLevel
      const [seconds, nanos] = (shape.timeParts ?? []).map((name) => at.get(name))
      if (seconds !== undefined && nanos !== undefined) timeParts ??= [seconds, nanos]
      if (has !== undefined) {
        copy(textField, shape.text)
        for (const name of shape.time ?? []) {
          const index = at.get(name)
          if (index !== undefined && !times.includes(index)) times.push(index)
        }
        copy(TRACE_FIELD, shape.trace)
        copy(SPAN_FIELD, shape.span)
      }
      copy(SERVICE_FIELD, shape.service)
      for (const [field, candidates] of Object.entries(shape.fields ?? {})) copy(field, candidates)
    }
    const { clock, variants, otherTimes, ofOther } = this.#otherTimes(names, new Set(times))
    if (times.length === 0) timeParts ??= ofOther
    const rawText = names.findIndex(
      (name, i) => fields[i] === textField && (this.#lineNames.has(name) || BYTES_NAMES.has(name)),
    )
    const isChosen =
      [...indexesByField.values()].some(({ length }) => length > 1) || taken.size < fields.length + copies.length
    for (const name of [...names, ...fields, ...copies.map(({ field }) => field)])
      if (this.met.size < MAX_MET_NAMES) this.met.add(name)
    const hasPath =
      copies.some(({ from, field }) => isPath(field, names[from])) || names.some((name, i) => isPath(fields[i], name))
    const isFlat =
      !isChosen &&
      !hasPath &&
      rawText === -1 &&
      (times.length === 0 || (times.length === 1 && fields[times[0] ?? -1] === timeField)) &&
      (times.length > 0 ||
        (timeParts === undefined && clock === undefined && variants.length + otherTimes.length === 0))
    return {
      fields,
      times: [...times, ...variants],
      timeParts: times.length > 0 ? undefined : timeParts,
      clock,
      otherTimes,
      level,
      levels,
      levelCopy,
      defaultLevel: level === -1 && levelCopy === -1 ? defaultLevel : undefined,
      copies,
      rawText,
      isFlat,
    }
  }

  /** Finds the members that may have the time besides those in `times`. */
  #otherTimes(names: readonly string[], times: ReadonlySet<number>): OtherTimes {
    if (this.#timeNames.length === 0) return { clock: undefined, variants: [], otherTimes: [], ofOther: undefined }
    const at = new Map<string, number>()
    for (const [i, name] of names.entries()) if (!at.has(name.toLowerCase())) at.set(name.toLowerCase(), i)
    const [date, clock, zone] = [DATES, CLOCKS, ZONES].map((list) => indexOf(at, list))
    const variants: number[] = []
    const otherTimes: number[] = []
    let ofOther: [number, number] | undefined
    for (const [rank, name] of this.#timeNames.entries()) {
      for (const member of MEMBERS) {
        const index = at.get(`${name}${member}`)
        if (index !== undefined && !times.has(index)) (rank < this.#usualTimes ? variants : otherTimes).push(index)
      }
      for (const [seconds, nanos] of PARTS) {
        const parts = [at.get(`${name}${seconds}`), at.get(`${name}${nanos}`)]
        if (parts[0] !== undefined && parts[1] !== undefined) ofOther ??= [parts[0], parts[1]]
      }
    }
    const isClock = date !== undefined && clock !== undefined && date !== -1 && clock !== -1
    return { clock: isClock ? [date, clock, zone ?? -1] : undefined, variants, otherTimes, ofOther }
  }

  /** Returns the shapes that match a record with these names, in the order of the table. */
  #shapesOf(at: ReadonlyMap<string, number>): readonly RecordShape[] {
    const found: RecordShape[] = [...this.#any]
    for (const name of at.keys()) {
      for (const shape of this.#byMark.get(name) ?? [])
        if (shape.has?.every((each) => at.has(each)) === true) found.push(shape)
    }
    const order = (shape: RecordShape): number => this.#order.get(shape) ?? 0
    return found.sort((a, b) => order(a) - order(b))
  }
}

function indexOf(at: ReadonlyMap<string, number>, names: readonly string[] | undefined): number {
  const name = names?.find((each) => at.has(each))
  return name === undefined ? -1 : (at.get(name) ?? -1)
}

/** Returns the placer of a table. Each table has one. */
export const placerOf: (table: PlacingTable) => Placer = oncePer((table: PlacingTable) => new Placer(table))
