import type { Instant, MutableRow, Value } from '../../data/index.ts'
import type { BadLine } from '../line-format.ts'
import { levelIn } from './plain.ts'
import { MAX_LINE_GAP_NS, MAX_RECORD_LINES, MAX_RECORD_CHARS } from '../tuning.ts'

/** Lines that go on with a failure that was told before, without being indented. */
const GOES_ON =
  /^(?:Caused by: |Suppressed: |\.{3} \d{1,6} (?:more|common frames)|--- End of |Stack trace:|#\d{1,4} |at \S+ ?\(|[)\]}]{1,8}[;,]?$)/
const PYTHON = /^Traceback \(most recent call last\):|^ {2}[+|] Exception Group Traceback/
const PYTHON_LINK = /^(?:During handling of the above exception|The above exception was the direct cause)/
const GO = /^(?:panic: |fatal error: |goroutine \d{1,12} \[|runtime: )/
const GO_LINE =
  /^(?:goroutine \d|created by |exit status \d|\[signal |[\w./*()\-{}·]{1,256}\([^\n]{0,4096}\)$|\[recovered\]|\.\.\.additional frames elided)/
const RUST = /^thread '[^']{0,64}' (?:\(\d{1,12}\) )?panicked at .{1,400}:$/
const RUST_LINE = /^(?:note: |stack backtrace:)/
const FAILED: ReadonlySet<Value> = new Set(['warn', 'error', 'critical', 'fatal', 'panic', 'alert', 'emergency'])
const LATE_LEVEL = /^(?:SEVERE|WARNING|INFO|CONFIG|FINE|FINER|FINEST): /

/** Ends a quoted value. */
const CLOSES_QUOTE = /(?:^|[^\\])"/

/** Begins a record although no time stands in front. */
const LEVEL_HEAD =
  /^(?:(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL): +\S|(?:trce|dbug|info|warn|fail|crit): [\w.`+]{1,256}\[\d{1,10}\]$)/

/** A record whose lines are still coming. */
export class OpenRecord {
  readonly row: MutableRow
  readonly hasTime: boolean
  readonly #lines: string[]
  #chars: number
  /** Blank lines since the last one: they belong to the record only if more of it follows. */
  #blanks = 0
  /** `frames` while indented lines of a Python failure come, `told` when its message came. */
  #python: 'no' | 'frames' | 'told' = 'no'
  #isGo: boolean
  #isRust: boolean

  /** What is wrong with the pairs of the first line, where a quote in it is not closed. */
  openQuote: BadLine | undefined
  /** Whether that quote is still open. */
  isInQuotes = false

  /** When a container's runtime wrote the last line, nanoseconds since 1970. */
  #lastNs: bigint | undefined

  constructor(row: MutableRow, line: string, hasTime: boolean, time?: Instant) {
    this.#lastNs = time?.ns
    this.row = row
    this.hasTime = hasTime
    const content = row.get('content')
    const text = typeof content === 'string' ? content : line
    this.#lines = [text]
    this.#chars = text.length
    this.#isGo = GO.test(text)
    this.#isRust = RUST.test(text.slice(0, 512))
    if (PYTHON.test(text)) this.#python = 'frames'
  }

  /** Tells that the first line has pairs of which the last is a text that goes on. */
  openQuotes(fault: BadLine): void {
    this.openQuote = fault
    this.isInQuotes = true
  }

  get isFull(): boolean {
    return this.#lines.length >= MAX_RECORD_LINES || this.#chars >= MAX_RECORD_CHARS
  }

  /**
   * Whether a line without a time, which a container's runtime wrote at `time`, begins another record: it begins with a level although
   * this record has one, begins a panic, or came later than lines of one record do.
   */
  endsBefore(line: string, time: Instant | undefined): boolean {
    if (time !== undefined && this.#lastNs !== undefined && time.ns - this.#lastNs > MAX_LINE_GAP_NS) return true
    return (this.row.has('level') && LEVEL_HEAD.test(line)) || (!this.#isGo && GO.test(line.slice(0, 512)))
  }

  /** Whether lines that have a form of their own may belong here. */
  get mayTakeAny(): boolean {
    return this.#isGo || this.#isRust || this.#python !== 'no' || this.isInQuotes
  }

  blank(): void {
    this.#blanks++
  }

  /** Whether the look of a line says that it belongs here, whatever else it may be. */
  takes(line: string): boolean {
    const code = line.charCodeAt(0)
    if (code === 32 || code === 9) return true
    const head = line.slice(0, 512)
    if (GOES_ON.test(head)) return true
    // The first two lines of an entry of MySQL's slow log are both such that one may begin with them.
    if (head.startsWith('# User@Host: '))
      return this.#lines.length === 1 && this.#lines[0]?.startsWith('# Time: ') === true
    if (this.#isGo && GO_LINE.test(line.length > 4400 ? head : line)) return true
    if (this.#isRust && (this.#lines.length === 1 || RUST_LINE.test(head))) return true
    if (PYTHON.test(head)) return this.#python === 'told' || FAILED.has(this.row.get('level') ?? null)
    if (this.#python === 'told') return PYTHON_LINK.test(head)
    return this.#python === 'frames' && this.#lines.length > 1 && this.#blanks === 0
  }

  /** `time` is when a container's runtime wrote the line. */
  add(line: string, time?: Instant): void {
    this.#lastNs = time?.ns ?? this.#lastNs
    const code = line.charCodeAt(0)
    const isIndented = code === 32 || code === 9
    for (; this.#blanks > 0; this.#blanks--) this.#push('')
    this.#push(line)
    if (CLOSES_QUOTE.test(line)) this.isInQuotes = false
    const head = line.slice(0, 64)
    if (PYTHON.test(head)) this.#python = 'frames'
    else if (this.#python === 'frames' && !isIndented) this.#python = 'told'
    if (GO.test(head)) this.#isGo = true
    if (!this.row.has('level')) {
      const level = LATE_LEVEL.test(head) || PYTHON.test(head) ? levelIn(head) : undefined
      if (level !== undefined) this.row.set('level', level)
    }
  }

  #push(line: string): void {
    if (this.isFull) return
    this.#lines.push(line)
    this.#chars += line.length + 1
  }

  get text(): string {
    return this.#lines.join('\n')
  }
}
