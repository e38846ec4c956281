/** Where a label comes from: the stream, what was sent with the line, or the stages of a query. */
export type LabelCategory = 'stream' | 'metadata' | 'parsed'

export const ERROR_LABEL = '__error__'
export const ERROR_DETAILS_LABEL = '__error_details__'

/** Ending of a parsed label whose name the entry has already. */
const EXTRACTED = '_extracted'

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** A text as a name of a label: other characters become `_`, and `_` comes before a digit at the start. */
export function labelName(text: string): string {
  if (NAME.test(text)) return text
  const name = text.replaceAll(/[^A-Za-z0-9_]/gu, '_')
  return /^[0-9]/.test(name) ? `_${name}` : name
}

interface Label {
  readonly value: string
  readonly category: LabelCategory
}

/** One entry on its way through the stages: its line, its labels, and the error of a stage that could not read it. */
export class LogEntry {
  line: string
  readonly timeNs: bigint
  error: string | undefined
  errorDetails: string | undefined
  readonly #labels = new Map<string, Label>()
  /** Names that the entry had before any stage. */
  readonly #given = new Set<string>()
  /** True once a stage has changed a label. */
  #isChanged = false

  constructor(line: string, timeNs: bigint) {
    this.line = line
    this.timeNs = timeNs
  }

  /** Adds a label that the entry has before any stage; of equal names the first stays. */
  give(name: string, value: string, category: 'stream' | 'metadata'): void {
    if (this.#labels.has(name)) return
    this.#labels.set(name, { value, category })
    this.#given.add(name)
  }

  /** The value of a label, of which the error of a stage is one. Conditions do not see what says more of it. */
  get(name: string): string | undefined {
    return name === ERROR_LABEL ? this.error : this.#labels.get(name)?.value
  }

  categoryOf(name: string): LabelCategory | undefined {
    return this.#labels.get(name)?.category
  }

  set(name: string, value: string, category: LabelCategory): void {
    // These names are those of errors; a line may not fake one, nor hide it.
    if (name === ERROR_LABEL || name === ERROR_DETAILS_LABEL) return
    this.#labels.set(name, { value, category })
    this.#isChanged = true
  }

  delete(name: string): void {
    if (this.#labels.delete(name)) this.#isChanged = true
  }

  /** The name under which a parser writes a label: with an ending if the entry was sent with that name. */
  parsedName(name: string): string {
    return this.#given.has(name) ? name + EXTRACTED : name
  }

  fail(error: string, details: string | undefined): void {
    this.error = error
    if (details !== undefined) this.errorDetails = details
  }

  forgetError(): void {
    this.error = undefined
  }

  forgetDetails(): void {
    this.errorDetails = undefined
  }

  /**
   * All labels with their categories, errors included, in no order. As in the reference, what says more of an error that
   * was dropped stays, but with no entry that has only the labels it came with.
   */
  *labels(): Iterable<readonly [name: string, value: string, category: LabelCategory]> {
    for (const [name, { value, category }] of this.#labels) yield [name, value, category]
    if (this.error !== undefined) yield [ERROR_LABEL, this.error, 'parsed']
    if (this.errorDetails !== undefined && (this.error !== undefined || this.#isChanged))
      yield [ERROR_DETAILS_LABEL, this.errorDetails, 'parsed']
  }

  /** Names of the labels but those of errors. */
  names(): readonly string[] {
    return [...this.#labels.keys()]
  }
}
