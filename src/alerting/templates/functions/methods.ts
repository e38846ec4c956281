import { formatTime, durationText, timeFields, timeText } from '../format/time.ts'
import { GoDuration, GoTime, type GoValue } from '../values.ts'
import type { FunctionTable, TemplateFunction } from './definition.ts'
import { ExpansionFault } from '../faults.ts'

const NS_PER_MS = 1_000_000n
const NS_PER_SECOND = 1e9

/** The receiver is the first argument of every method. */
function method<R>(call: (receiver: R) => GoValue): TemplateFunction {
  return { parameters: ['any'], call: ([receiver]) => call(receiver as R) }
}

function withTime(call: (time: GoTime, other: GoTime) => GoValue): TemplateFunction {
  return {
    parameters: ['any', 'any'],
    call: ([time, other]) => {
      if (!(other instanceof GoTime)) throw new ExpansionFault('the argument must be a time, such as toTime returns')
      return call(time as GoTime, other)
    },
  }
}

function floorMs(ns: bigint): bigint {
  const rest = ns % NS_PER_MS
  return (ns - (rest < 0n ? rest + NS_PER_MS : rest)) / NS_PER_MS
}

const timeMethods: FunctionTable = {
  Format: {
    parameters: ['any', 'string'],
    call: ([time, layout]) => formatTime((time as GoTime).ns, layout as string),
  },
  String: method<GoTime>(({ ns }) => timeText(ns)),
  UTC: method<GoTime>((time) => time),
  Unix: method<GoTime>(({ ns }) => timeFields(ns).unix),
  UnixMilli: method<GoTime>(({ ns }) => floorMs(ns)),
  UnixNano: method<GoTime>(({ ns }) => ns),
  Year: method<GoTime>(({ ns }) => BigInt(timeFields(ns).year)),
  Month: method<GoTime>(({ ns }) => timeFields(ns).monthName),
  Day: method<GoTime>(({ ns }) => BigInt(timeFields(ns).day)),
  YearDay: method<GoTime>(({ ns }) => BigInt(timeFields(ns).yearDay)),
  Weekday: method<GoTime>(({ ns }) => timeFields(ns).weekday),
  Hour: method<GoTime>(({ ns }) => BigInt(timeFields(ns).hour)),
  Minute: method<GoTime>(({ ns }) => BigInt(timeFields(ns).minute)),
  Second: method<GoTime>(({ ns }) => BigInt(timeFields(ns).second)),
  Nanosecond: method<GoTime>(({ ns }) => BigInt(timeFields(ns).nanos)),
  Add: {
    parameters: ['any', 'any'],
    call: ([time, duration]) => {
      if (!(duration instanceof GoDuration))
        throw new ExpansionFault('the argument must be a duration, such as toDuration returns')
      return new GoTime((time as GoTime).ns + duration.ns)
    },
  },
  Sub: withTime((time, other) => new GoDuration(time.ns - other.ns)),
  Before: withTime((time, other) => time.ns < other.ns),
  After: withTime((time, other) => time.ns > other.ns),
  Equal: withTime((time, other) => time.ns === other.ns),
}

const durationMethods: FunctionTable = {
  String: method<GoDuration>(({ ns }) => durationText(ns)),
  Hours: method<GoDuration>(({ ns }) => Number(ns) / NS_PER_SECOND / 3600),
  Minutes: method<GoDuration>(({ ns }) => Number(ns) / NS_PER_SECOND / 60),
  Seconds: method<GoDuration>(({ ns }) => Number(ns) / NS_PER_SECOND),
  Milliseconds: method<GoDuration>(({ ns }) => ns / NS_PER_MS),
  Nanoseconds: method<GoDuration>(({ ns }) => ns),
}

/** Returns a method of a time or duration; `undefined` if the value has no such method. */
export function methodOf(value: GoValue, name: string): TemplateFunction | undefined {
  const table = value instanceof GoTime ? timeMethods : value instanceof GoDuration ? durationMethods : {}
  return Object.hasOwn(table, name) ? table[name] : undefined
}
