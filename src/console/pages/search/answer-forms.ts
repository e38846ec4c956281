import type { ComponentType } from 'preact'
import { texts } from '../../app/texts.ts'
import { isDialect } from '../../ask/requests.ts'
import { BarsView, HeatView, LinesView, NumberView } from './charts.tsx'
import { CompareView } from './compare-view.tsx'
import { ExplainView } from './explain-view.tsx'
import { GroupsTable } from './groups-table.tsx'
import { PatternsView } from './patterns-view.tsx'
import type { Shown } from './search.ts'

/** A presentation of an answer, such as a table or chart. */
export interface AnswerForm {
  readonly id: string
  readonly title: string
  /** True if the presentation suits the answer. The first suitable one is the default. */
  readonly fits: (shown: Shown) => boolean
  readonly View: ComponentType<{ readonly shown: Shown }>
}

/** Stands for the row list, which the page draws itself because rows can be selected. */
function NoView(): null {
  return null
}

function hasTimes({ shape, state }: Shown): boolean {
  return shape === 'groups' && state.rows > 1 && state.fields.includes('_time')
}

/** True if the answer has rows of the log language, whose query can have a further stage. */
function isLogRows({ shape, view }: Shown): boolean {
  return shape === 'rows' && isDialect(view.dialect)
}

const forms: readonly AnswerForm[] = [
  { id: 'rows', title: texts.forms.rows, fits: ({ shape }) => shape === 'rows', View: NoView },
  { id: 'lines', title: texts.forms.lines, fits: hasTimes, View: LinesView },
  {
    id: 'number',
    title: texts.forms.number,
    fits: ({ shape, state }) => shape === 'groups' && state.rows === 1 && state.fields.length <= 4,
    View: NumberView,
  },
  { id: 'table', title: texts.forms.table, fits: () => true, View: GroupsTable },
  { id: 'bars', title: texts.forms.bars, fits: ({ shape }) => shape === 'groups', View: BarsView },
  { id: 'heat', title: texts.forms.heat, fits: hasTimes, View: HeatView },
  { id: 'patterns', title: texts.forms.patterns, fits: isLogRows, View: PatternsView },
  { id: 'compare', title: texts.forms.compare, fits: isLogRows, View: CompareView },
  { id: 'explain', title: texts.forms.explain, fits: ({ view }) => isDialect(view.dialect), View: ExplainView },
]

/** Returns the presentations that suit an answer, the default first. */
export function answerForms(shown: Shown): readonly AnswerForm[] {
  return forms.filter(({ fits }) => fits(shown))
}
