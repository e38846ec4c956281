import { Planner, engineOptions, type PlannerOptions } from '../engine/index.ts'
import { complete, type Completion } from './complete.ts'
import { hover, type Hover } from './hover.ts'
import { semanticTokens, type SemanticToken } from './semantic-tokens.ts'
import type { EditorOptions } from './editor-options.ts'

/** Services of the log language for editors, without running queries. Every method accepts any text and any offset. */
export class Language extends Planner {
  /** Returns completions at an offset, from the text before it. */
  complete(text: string, offset: number, options: Partial<EditorOptions> = {}): Completion {
    return complete(text, offset, this.#with(options))
  }

  /** Returns documentation of the token at an offset, as Markdown. */
  hover(text: string, offset: number, options: Partial<EditorOptions> = {}): Hover | undefined {
    return hover(text, offset, this.#with(options))
  }

  /** Classifies each part of a text, for highlighting. */
  tokens(text: string): readonly SemanticToken[] {
    return semanticTokens(text, this.vocabulary)
  }

  #with(options: Partial<EditorOptions>): EditorOptions {
    return { catalog: this.catalog, functions: this.functions, vocabulary: this.vocabulary, ...options }
  }
}

/** Creates the editor services of the log language. Throws SluiceError: `options/…` for unknown options. */
export function createLanguage(options: PlannerOptions = {}): Language {
  engineOptions.check(options, '`createLanguage`')
  return new Language(options)
}
