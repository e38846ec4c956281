/** A parser by other authors. Returns true if it accepts the syntax of a text. */
export type SecondReader = (text: string) => boolean

/** The part of a Lezer parser that reports syntax errors. */
interface TreeParser {
  parse(text: string): {
    iterate(visit: { enter: (node: { readonly type: { readonly isError: boolean } }) => void }): void
  }
}

/** Loads a parser of an editor; `undefined` when its package is not installed. */
export async function loadReader(
  load: () => Promise<{ readonly parser: TreeParser }>,
): Promise<SecondReader | undefined> {
  try {
    const { parser } = await load()
    return (text) => {
      let hasError = false
      parser.parse(text).iterate({
        enter: (node) => {
          if (node.type.isError) hasError = true
        },
      })
      return !hasError
    }
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** Verdict of our parser on the syntax of a text. */
export interface SyntaxVerdict {
  readonly isAccepted: boolean
  /** The first message about the syntax; empty if there is none. */
  readonly fault: string
}

export interface KnownDifference {
  readonly why: string
  /** True if this reason explains a difference for a text; `fault` is the message of our parser. */
  readonly fits: (text: string, fault: string) => boolean
  /** Texts that show the difference. A test checks that they still do. */
  readonly examples: readonly string[]
  readonly isOursStricter: boolean
}

export interface VerdictComparison {
  readonly isAccepted: boolean
  readonly isAcceptedThere: boolean
  /** Reason for the difference; `undefined` if both parsers agree, or if no known difference explains it. */
  readonly reason: string | undefined
}

/** Compares how our parser and another one judge the syntax of a text. */
export function compareVerdicts(
  text: string,
  { isAccepted, fault }: SyntaxVerdict,
  other: SecondReader,
  known: readonly KnownDifference[],
): VerdictComparison {
  const isAcceptedThere = other(text)
  if (isAccepted === isAcceptedThere) return { isAccepted, isAcceptedThere, reason: undefined }
  const kind = known.find((each) => each.isOursStricter !== isAccepted && each.fits(text, fault))
  return { isAccepted, isAcceptedThere, reason: kind?.why }
}

/** Describes how both parsers differ for a text; `undefined` if they agree or the difference is known. */
export function unexplained(
  text: string,
  { isAccepted, isAcceptedThere, reason }: VerdictComparison,
): string | undefined {
  if (isAccepted === isAcceptedThere || reason !== undefined) return undefined
  return `\`${text}\` is ${isAccepted ? 'accepted' : 'refused'} here, ${isAcceptedThere ? 'accepted' : 'refused'} there`
}
