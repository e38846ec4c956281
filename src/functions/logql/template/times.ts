import { SECOND_NS, MS_NS, DAY_NS } from '../../../base/index.ts'
import {
  ExpansionFault,
  formatTime,
  GoInt64,
  GoTime,
  parseTime,
  ZERO_TIME_NS,
  type GoValue,
} from '../../go-template/index.ts'
import { strings, type EntryContext, type EntryFunction, type EntryFunctions } from './context.ts'

/** Converts seconds since 1970, or a time, to a time. Any other value gives the current time. */
function timeOf(value: GoValue, { data }: EntryContext): bigint {
  if (value instanceof GoTime) return value.ns
  const seconds = value instanceof GoInt64 ? value.value : value
  return typeof seconds === 'bigint' ? seconds * SECOND_NS : data.nowNs()
}

/** Parses a time by a layout. Returns the first instant of the year 1 if the text does not match the layout. */
function toDate(layout: string, zone: string, text: string): GoTime {
  return new GoTime(parseTime(text, layout, zone) ?? ZERO_TIME_NS, false)
}

function onTime(call: (ns: bigint) => GoValue): EntryFunction {
  return { parameters: ['time'], call: ([time]) => call((time as GoTime).ns) }
}

function floorDivide(ns: bigint, by: bigint): bigint {
  const quotient = ns / by
  return ns % by < 0n ? quotient - 1n : quotient
}

/** Units of a Unix time, by its number of digits. */
const UNITS: ReadonlyMap<number, bigint> = new Map([
  [5, DAY_NS],
  [10, SECOND_NS],
  [13, MS_NS],
  [16, 1000n],
  [19, 1n],
])

function unixToTime(text: string): GoTime {
  const fault = (reason: string): ExpansionFault => new ExpansionFault(`unable to parse time '${text}': ${reason}`)
  if (!/^[+-]?[0-9]+$/.test(text)) throw fault(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
  const unit = UNITS.get(text.length)
  if (unit === undefined) throw fault('timestamp of unknown length')
  return new GoTime(BigInt(text) * unit, false)
}

export const timeFunctions: EntryFunctions = {
  now: { parameters: [], call: (_, { data }) => new GoTime(data.nowNs(), false) },
  date: {
    parameters: ['string', 'any'],
    call: ([layout, time = null], context) => formatTime(timeOf(time, context), layout as string),
  },
  toDate: strings(2, (layout = '', text = '') => toDate(layout, 'UTC', text)),
  toDateInZone: strings(3, (layout = '', zone = '', text = '') => toDate(layout, zone, text)),
  unixEpoch: onTime((ns) => String(floorDivide(ns, SECOND_NS))),
  unixEpochMillis: onTime((ns) => String(floorDivide(ns, MS_NS))),
  unixEpochNanos: onTime((ns) => String(ns)),
  unixToTime: strings(1, (text = '') => unixToTime(text)),
}
