import { MS_NS } from '../../../base/index.ts'
import { durationText, formatTime, timeFields, timeText, type TimeFields } from '../format/time.ts'
import { GoDuration, GoInt64, GoTime, type GoValue } from '../values.ts'
import type { FunctionTable, TemplateFunction } from './definition.ts'

const NS_PER_SECOND = 1e9

/** Returns a method as a template function whose first argument is the receiver. */
function method(call: (receiver: GoTime | GoDuration) => GoValue): TemplateFunction {
  return { parameters: ['any'], call: ([receiver]) => call(receiver as GoTime | GoDuration) }
}

function field(read: (fields: TimeFields) => GoValue): TemplateFunction {
  return method(({ ns }) => read(timeFields(ns)))
}

const timeMethods: FunctionTable = {
  Format: {
    parameters: ['any', 'string'],
    call: ([time, layout]) => formatTime((time as GoTime).ns, layout as string),
  },
  String: method(({ ns }) => timeText(ns)),
  UTC: method((time) => time),
  Unix: field(({ unix }) => new GoInt64(unix)),
  UnixMilli: method(({ ns }) => new GoInt64(ns / MS_NS)),
  UnixNano: method(({ ns }) => new GoInt64(ns)),
  Nanosecond: field(({ nanos }) => BigInt(nanos)),
  Year: field(({ year }) => BigInt(year)),
  Month: field(({ monthName }) => monthName),
  Day: field(({ day }) => BigInt(day)),
  YearDay: field(({ yearDay }) => BigInt(yearDay)),
  Weekday: field(({ weekday }) => weekday),
  Hour: field(({ hour }) => BigInt(hour)),
  Minute: field(({ minute }) => BigInt(minute)),
  Second: field(({ second }) => BigInt(second)),
}

const durationMethods: FunctionTable = {
  String: method(({ ns }) => durationText(ns)),
  Hours: method(({ ns }) => Number(ns) / NS_PER_SECOND / 3600),
  Minutes: method(({ ns }) => Number(ns) / NS_PER_SECOND / 60),
  Seconds: method(({ ns }) => Number(ns) / NS_PER_SECOND),
  Milliseconds: method(({ ns }) => new GoInt64(ns / MS_NS)),
}

/** Returns a method of a time or duration; `undefined` if the value has no such method. */
export function methodOf(value: GoValue, name: string): TemplateFunction | undefined {
  const table = value instanceof GoTime ? timeMethods : value instanceof GoDuration ? durationMethods : {}
  return Object.hasOwn(table, name) ? table[name] : undefined
}
