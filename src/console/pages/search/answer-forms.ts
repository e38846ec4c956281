import type { ComponentType } from 'preact'
import { texts } from '../../app/texts.ts'
import { ExplainView } from './explain-view.tsx'
import { GroupsTable } from './groups-table.tsx'
import type { Shown } from './search.ts'

/** A way to show an answer. */
export interface AnswerForm {
  readonly id: string
  readonly title: string
  /** Whether the form fits the answer; the first one that fits is shown unless the user chooses another. */
  readonly fits: (shown: Shown) => boolean
  readonly View: ComponentType<{ readonly shown: Shown }>
}

/** The list of rows, which the page itself draws since it selects rows. */
function NoView(): null {
  return null
}

const forms: readonly AnswerForm[] = [
  { id: 'rows', title: texts.forms.rows, fits: ({ shape }) => shape === 'rows', View: NoView },
  { id: 'table', title: texts.forms.table, fits: () => true, View: GroupsTable },
  { id: 'explain', title: texts.forms.explain, fits: () => true, View: ExplainView },
]

/** Returns the forms that fit an answer, the usual one first. */
export function answerForms(shown: Shown): readonly AnswerForm[] {
  return forms.filter(({ fits }) => fits(shown))
}
