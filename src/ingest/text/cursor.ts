/** Reads a line from left to right. The work of each method is linear in the characters that it examines. */
export class Cursor {
  readonly line: string
  at = 0

  constructor(line: string) {
    this.line = line
  }

  get isAtEnd(): boolean {
    return this.at >= this.line.length
  }

  get rest(): string {
    return this.line.slice(this.at)
  }

  /** Skips the text if it is at this position. Returns whether it is. */
  skip(text: string): boolean {
    if (!this.line.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  skipBlanks(): void {
    while (this.line.charCodeAt(this.at) === 32) this.at++
  }

  /** Reads up to the next blank and skips the blank; reads the remainder of the line if there is no blank. */
  word(): string {
    return this.until(' ') ?? this.toEnd()
  }

  toEnd(): string {
    const text = this.rest
    this.at = this.line.length
    return text
  }

  /** Reads up to a mark and skips the mark; returns `undefined` and reads nothing if the mark does not follow. */
  until(mark: string, most = Infinity): string | undefined {
    const end = this.line.indexOf(mark, this.at)
    if (end === -1 || end - this.at > most) return undefined
    const text = this.line.slice(this.at, end)
    this.at = end + mark.length
    return text
  }

  /**
   * Reads a string in double quotes and resolves `\"` and `""`; returns `undefined` and reads nothing when there are no
   * quotes.
   */
  quoted(): string | undefined {
    if (this.line.charCodeAt(this.at) !== 34) return undefined
    const start = this.at + 1
    let hasEscape = false
    for (let i = start; i < this.line.length; i++) {
      const code = this.line.charCodeAt(i)
      if (code === 92) {
        hasEscape = true
        i++
      } else if (code === 34) {
        if (this.line.charCodeAt(i + 1) === 34) {
          hasEscape = true
          i++
          continue
        }
        this.at = i + 1
        const text = this.line.slice(start, i)
        return hasEscape ? text.replaceAll(/\\(["\\])|""/g, (_, escaped: string | undefined) => escaped ?? '"') : text
      }
    }
    return undefined
  }

  /** Reads a word with or without quotes. */
  field(): string {
    const text = this.quoted() ?? this.word()
    this.skip(' ')
    return text
  }
}

/** Returns a whole number of at most 15 digits, else `undefined`. */
export function wholeOf(text: string | undefined): number | undefined {
  return text !== undefined && text.length <= 15 && /^\d+$/.test(text) ? Number(text) : undefined
}

/** Returns a plain decimal number. */
export function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && text.length <= 24 && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined
}
