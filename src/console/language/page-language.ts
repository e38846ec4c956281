import type { OtherLanguage } from '../../editor/index.ts'
import type { AnswerShape, NarrowRequest } from './requests.ts'

/** A language besides the log language, as pages need it. */
export interface PageLanguage extends OtherLanguage {
  /** True if a name of the data may follow a text. */
  readonly takesNameAfter?: (text: string) => boolean
  readonly shape?: (text: string) => AnswerShape
  readonly narrow?: (request: NarrowRequest) => string
}
