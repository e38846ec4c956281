import { Planner, engineOptions, type PlannerOptions } from '../engine/index.ts'
import { complete, type Completion } from './complete.ts'
import { hover, type Hover } from './hover.ts'
import { semanticTokens, type SemanticToken } from './semantic-tokens.ts'
import type { EditorOptions } from './editor-options.ts'

/** The language of query texts as an editor needs it; runs nothing. Every method takes any text and any offset. */
export class Language extends Planner {
  /** What may be written at an offset, from the text in front of it alone. */
  complete(text: string, offset: number, options: Partial<EditorOptions> = {}): Completion {
    return complete(text, offset, this.#with(options))
  }

  /** What stands at an offset, explained in Markdown. */
  hover(text: string, offset: number, options: Partial<EditorOptions> = {}): Hover | undefined {
    return hover(text, offset, this.#with(options))
  }

  /** What each part of a text is, for colours. */
  tokens(text: string): readonly SemanticToken[] {
    return semanticTokens(text)
  }

  #with(options: Partial<EditorOptions>): EditorOptions {
    return { catalog: this.catalog, functions: this.functions, ...options }
  }
}

export function createLanguage(options: PlannerOptions = {}): Language {
  engineOptions.check(options, '`createLanguage`')
  return new Language(options)
}
