import { Instant, parseJsonExact, readTime, type MutableRow, type TimeContext } from '../../data/index.ts'

/** A line of a program within one that a container's runtime or another tool wrote. */
export interface Envelope {
  readonly time: Instant | undefined
  /** Lines of different origins are never joined; `''` for all that have none. */
  readonly origin: string
  /** What the record gets where its line does not say it. */
  readonly fields: MutableRow
  /** Whether the program's line goes on in the next one of its stream. */
  readonly isPartial: boolean
  readonly line: string
  /** The members of a line that is an object, where it was read to tell what the line is. */
  readonly row?: MutableRow
}

/** The prefix that containerd and CRI-O write before a line. */
export const CRI =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) (stdout|stderr) ([PF])(?::[^ ]{1,32})? /

/** The format of containerd and CRI-O: `<time> stdout F <line>`. */
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

/** Whether a line is one of Docker's own files, with nothing added by a shipper. */
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
