import type { Instant, MutableRow, Value } from '../../data/index.ts'
import type { BadLine } from '../line-format.ts'
import { levelIn } from './plain.ts'
import { MAX_LINE_GAP_NS, MAX_RECORD_LINES, MAX_RECORD_CHARS } from '../tuning.ts'

/** Lines that continue a reported failure without being indented. */
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

/** Matches the end of a quoted value. */
const CLOSES_QUOTE = /(?:^|[^\\])"/

/** Matches a line that begins with a level and no time, which begins a record. */
const LEVEL_HEAD =
  /^(?:(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL): +\S|(?:trce|dbug|info|warn|fail|crit): [\w.`+]{1,256}\[\d{1,10}\]$)/

/** A record to which further lines may be added. */
export class OpenRecord {
  readonly row: MutableRow
  readonly hasTime: boolean
  readonly #lines: string[]
  #chars: number
  /** The number of blank lines at the end. They belong to the record only if another line of the record follows. */
  #blanks = 0
  /** State of a Python traceback: `frames` while indented lines arrive, `message` after the final message. */
  #python: 'no' | 'frames' | 'message' = 'no'
  #isGo: boolean
  #isRust: boolean

  /** Error in the pairs of the first line because a quote is not closed. */
  openQuote: BadLine | undefined
  /** True if the quote of `openQuote` is still open. */
  isInQuotes = false

  /** The time when a container runtime wrote the last line, in nanoseconds since 1970. */
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

  /** Marks the last pair of the first line as a quoted string that continues in the next line. */
  openQuotes(fault: BadLine): void {
    this.openQuote = fault
    this.isInQuotes = true
  }

  get isFull(): boolean {
    return this.#lines.length >= MAX_RECORD_LINES || this.#chars >= MAX_RECORD_CHARS
  }

  /**
   * True if a line without a time, written by a container runtime at `time`, begins another record. This is so if the
   * line begins with a level and this record has a level, if the line begins a panic, or if it was written too late for
   * this record.
   */
  endsBefore(line: string, time: Instant | undefined): boolean {
    if (time !== undefined && this.#lastNs !== undefined && time.ns - this.#lastNs > MAX_LINE_GAP_NS) return true
    return (this.row.has('level') && LEVEL_HEAD.test(line)) || (!this.#isGo && GO.test(line.slice(0, 512)))
  }

  /** True if even a line that looks like a new record may belong to this record. */
  get mayTakeAny(): boolean {
    return this.#isGo || this.#isRust || this.#python !== 'no' || this.isInQuotes
  }

  blank(): void {
    this.#blanks++
  }

  /** True if the text of a line shows that the line belongs to this record. */
  takes(line: string): boolean {
    const code = line.charCodeAt(0)
    if (code === 32 || code === 9) return true
    const head = line.slice(0, 512)
    if (GOES_ON.test(head)) return true
    // In an entry of MySQL's slow log both of the first two lines could begin an entry.
    if (head.startsWith('# User@Host: '))
      return this.#lines.length === 1 && this.#lines[0]?.startsWith('# Time: ') === true
    if (this.#isGo && GO_LINE.test(line.length > 4400 ? head : line)) return true
    if (this.#isRust && (this.#lines.length === 1 || RUST_LINE.test(head))) return true
    if (PYTHON.test(head)) return this.#python === 'message' || FAILED.has(this.row.get('level') ?? null)
    if (this.#python === 'message') return PYTHON_LINK.test(head)
    return this.#python === 'frames' && this.#lines.length > 1 && this.#blanks === 0
  }

  /** Adds a line. `time` is the time when a container runtime wrote it. */
  add(line: string, time?: Instant): void {
    this.#lastNs = time?.ns ?? this.#lastNs
    const code = line.charCodeAt(0)
    const isIndented = code === 32 || code === 9
    for (; this.#blanks > 0; this.#blanks--) this.#push('')
    this.#push(line)
    if (CLOSES_QUOTE.test(line)) this.isInQuotes = false
    const head = line.slice(0, 64)
    if (PYTHON.test(head)) this.#python = 'frames'
    else if (this.#python === 'frames' && !isIndented) this.#python = 'message'
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
