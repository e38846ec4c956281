import { Instant, parseJsonExact, readTime, type MutableRow, type TimeContext } from '../../data/index.ts'

/** A program's line that a container runtime or another tool has wrapped. */
export interface Envelope {
  readonly time: Instant | undefined
  /** The origin of the line; `''` if there is none. Lines of different origins are never joined. */
  readonly origin: string
  /** Fields for the record, unless the program's line has them itself. */
  readonly fields: MutableRow
  /** True if the program's line continues in the next line of its stream. */
  readonly isPartial: boolean
  readonly line: string
  /** The members of the program's line if it is an object. Present if recognising the line required parsing it. */
  readonly row?: MutableRow
}

/** The prefix that containerd and CRI-O write before a line. */
export const CRI =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) (stdout|stderr) ([PF])(?::[^ ]{1,32})? /

/** Reads a line of containerd and CRI-O: `<time> stdout F <line>`. */
export function readCri(line: string, context: TimeContext): Envelope | undefined {
  const found = CRI.exec(line.slice(0, 96))
  if (found === null) return undefined
  const [whole, time = '', stream = '', tag] = found
  const ns = readTime(time, context)
  return {
    time: ns === undefined ? undefined : new Instant(ns),
    origin: stream,
    fields: new Map([['stream', stream]]),
    isPartial: tag === 'P',
    line: line.slice(whole.length),
  }
}

const DOCKER = /^\{"log":"/
const DOCKER_END = /","stream":"(?:stdout|stderr)",(?:"attrs":\{[^{}]{0,4096}\},)?"time":"[^"]{20,40}"\}$/

/** True if a line comes directly from a log file of Docker, without additions by a shipper. */
export function isDockerLine(line: string): boolean {
  return DOCKER.test(line) && DOCKER_END.test(line.slice(-4300).trimEnd())
}

export function readDocker(line: string, context: TimeContext): Envelope | undefined {
  if (!isDockerLine(line)) return undefined
  try {
    const value = parseJsonExact(line) as { readonly [name: string]: unknown }
    const { log, stream, time } = value
    if (typeof log !== 'string' || typeof stream !== 'string' || typeof time !== 'string') return undefined
    const ns = readTime(time, context)
    const isPartial = !log.endsWith('\n')
    return {
      time: ns === undefined ? undefined : new Instant(ns),
      origin: stream,
      fields: new Map([['stream', stream]]),
      isPartial,
      line: isPartial ? log : log.slice(0, log.endsWith('\r\n') ? -2 : -1),
    }
  } catch {
    return undefined
  }
}
