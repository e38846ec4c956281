import { isZone } from '../data/index.ts'
import type { RecordOptions } from '../store/index.ts'
import { MAX_OPTION_NAMES, MAX_OPTION_CHARS } from './tuning.ts'

export type { RecordOptions } from '../store/index.ts'

/** One option for reading records, as users and senders write it. */
export interface RecordOptionWord {
  /**
   * The name of the option: `time-field` is `--time-field` on the command line, `X-Sluice-Time-Field` as a header and
   * `time_field` as a parameter.
   */
  readonly word: string
  /** The placeholder for the option's value in help texts. */
  readonly value: string
  readonly summary: string
  /** Parses the text of the option into `options`. Returns the fault of the text; `undefined` if the text is valid. */
  readonly read: (text: string, options: Mutable<RecordOptions>) => string | undefined
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

type ListOption = 'timeFields' | 'textFields' | 'levelFields' | 'streamFields' | 'ignoreFields'

function names(option: ListOption, word: string, summary: string): RecordOptionWord {
  return {
    word,
    value: 'names',
    summary,
    read: (text, options) => {
      if (text.length > MAX_OPTION_CHARS) return `it is longer than ${MAX_OPTION_CHARS} characters`
      const list = text
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')
      if (list.length === 0) return 'it names no field'
      if (list.length > MAX_OPTION_NAMES) return `it names more than ${MAX_OPTION_NAMES} fields`
      options[option] = list
      return undefined
    },
  }
}

/** The options for reading records that both the command line and requests have. */
export const recordOptionWords: readonly RecordOptionWord[] = [
  names(
    'timeFields',
    'time-field',
    'field that holds the time; with several, separated by commas, the first that a record has',
  ),
  names('textFields', 'text-field', 'the same for the text'),
  names('levelFields', 'level-field', 'the same for the level'),
  names('streamFields', 'stream-fields', 'fields whose values identify a stream'),
  {
    word: 'tz',
    value: 'zone',
    summary: 'zone of times without one, such as Europe/Berlin or +02:00 (default: UTC)',
    read: (text, options) => {
      const zone = text.trim()
      if (!isZone(zone)) return 'it is not a zone of the IANA database, as Europe/Berlin, or an offset, as +02:00'
      options.zone = zone
      return undefined
    },
  },
  {
    word: 'multiline',
    value: 'switch',
    summary: 'off: each line of a text is a record of its own',
    read: (text, options) => {
      const isOn = /^(?:true|1|on)$/i.test(text.trim())
      if (!isOn && !/^(?:false|0|off)$/i.test(text.trim())) return 'it is on or off'
      options.multiline = isOn
      return undefined
    },
  },
]

/** The option for additional fields: pairs `name=value`, separated by commas. */
const extraFields: RecordOptionWord = {
  word: 'extra-fields',
  value: 'name=value',
  summary: "fields that every record gets, several by commas; they win over the record's own",
  read: (text, options) => {
    if (text.length > MAX_OPTION_CHARS) return `it is longer than ${MAX_OPTION_CHARS} characters`
    const pairs = text.split(',').map((pair) => {
      const equals = pair.indexOf('=')
      return [pair.slice(0, Math.max(0, equals)).trim(), pair.slice(equals + 1).trim()] as const
    })
    if (pairs.some(([name]) => name === '')) return 'it is not a list of name=value'
    if (pairs.length > MAX_OPTION_NAMES) return `it names more than ${MAX_OPTION_NAMES} fields`
    options.extraFields = Object.fromEntries(pairs)
    return undefined
  },
}

/** All options for reading records that a request may have. */
export const requestOptionWords: readonly RecordOptionWord[] = [
  ...recordOptionWords,
  extraFields,
  names(
    'ignoreFields',
    'ignore-fields',
    'fields that are dropped; one with `*` at its end stands for all that begin so',
  ),
]

/** The error for an option that cannot be parsed. */
export class BadRecordOption extends Error {
  override readonly name = 'BadRecordOption'
  readonly word: string

  constructor(word: string, reason: string) {
    super(reason)
    this.word = word
  }
}

/** Reads options by their names; returns `undefined` when none is given. Throws BadRecordOption. */
export function readRecordOptions(textOf: (word: string) => string | undefined): RecordOptions | undefined {
  const options: Mutable<RecordOptions> = {}
  for (const { word, read } of requestOptionWords) {
    const text = textOf(word)
    if (text === undefined || text.trim() === '') continue
    const reason = read(text, options)
    if (reason !== undefined) throw new BadRecordOption(word, reason)
  }
  return Object.keys(options).length === 0 ? undefined : options
}
