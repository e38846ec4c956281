/** The source of a label: the stream, metadata sent with the line, or a stage of the query. */
export type LabelCategory = 'stream' | 'metadata' | 'parsed'

export const ERROR_LABEL = '__error__'
export const ERROR_DETAILS_LABEL = '__error_details__'

/** Suffix for a parsed label if the entry already has a label of its name. */
const EXTRACTED = '_extracted'

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Returns a valid label name: invalid characters become `_`, and a leading digit gets the prefix `_`. */
export function labelName(text: string): string {
  if (NAME.test(text)) return text
  const name = text.replaceAll(/[^A-Za-z0-9_]/gu, '_')
  return /^[0-9]/.test(name) ? `_${name}` : name
}

interface Label {
  readonly value: string
  readonly category: LabelCategory
}

/**
 * A log entry while it passes through the stages: its line, its labels, and the error of the stage that failed, if any.
 */
export class LogEntry {
  line: string
  readonly timeNs: bigint
  error: string | undefined
  errorDetails: string | undefined
  readonly #labels = new Map<string, Label>()
  /** Names of the labels that the entry had before the first stage. */
  readonly #given = new Set<string>()
  /** True once a stage has changed a label. */
  #isChanged = false

  constructor(line: string, timeNs: bigint) {
    this.line = line
    this.timeNs = timeNs
  }

  /** Adds a label that the entry has before the first stage. Does not change an existing label of that name. */
  give(name: string, value: string, category: 'stream' | 'metadata'): void {
    if (this.#labels.has(name)) return
    this.#labels.set(name, { value, category })
    this.#given.add(name)
  }

  /** Returns the value of a label. The error of a stage is available as a label; the details of the error are not. */
  get(name: string): string | undefined {
    return name === ERROR_LABEL ? this.error : this.#labels.get(name)?.value
  }

  categoryOf(name: string): LabelCategory | undefined {
    return this.#labels.get(name)?.category
  }

  set(name: string, value: string, category: LabelCategory): void {
    // The names of error labels are reserved, so that a line cannot set or hide an error.
    if (name === ERROR_LABEL || name === ERROR_DETAILS_LABEL) return
    this.#labels.set(name, { value, category })
    this.#isChanged = true
  }

  delete(name: string): void {
    if (this.#labels.delete(name)) this.#isChanged = true
  }

  /**
   * Returns the name for a label that a parser found. The name gets a suffix if the entry had such a label before the
   * first stage.
   */
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
   * Yields all labels with their categories, error labels included, in no particular order. As in Loki, the details of
   * a dropped error are kept, unless the entry has only its original labels.
   */
  *labels(): Iterable<readonly [name: string, value: string, category: LabelCategory]> {
    for (const [name, { value, category }] of this.#labels) yield [name, value, category]
    if (this.error !== undefined) yield [ERROR_LABEL, this.error, 'parsed']
    if (this.errorDetails !== undefined && (this.error !== undefined || this.#isChanged))
      yield [ERROR_DETAILS_LABEL, this.errorDetails, 'parsed']
  }

  /** Returns the names of all labels except error labels. */
  names(): readonly string[] {
    return [...this.#labels.keys()]
  }
}
