import type { OtherLanguage } from '../../editor/index.ts'
import type { AnswerShape, NarrowRequest } from './requests.ts'

/** A query language other than the log language, with the methods that pages use. */
export interface PageLanguage extends OtherLanguage {
  /** True if completion may offer names from the data after a text. */
  readonly takesNameAfter?: (text: string) => boolean
  readonly shape?: (text: string) => AnswerShape
  readonly narrow?: (request: NarrowRequest) => string
}
