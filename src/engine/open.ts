import { SluiceError, type Diagnostic } from '../base/index.ts'
import type { Parameters, Placeholders } from '../lang/log/index.ts'
import type { ExplainTree } from '../plan/index.ts'

/** Everything there is to say of a query; that of one with parameters that have no values names them. */
export function checkOpen(
  open: Placeholders | undefined,
  check: (parameters: Parameters | undefined) => readonly Diagnostic[],
): readonly Diagnostic[] {
  const named = (found: readonly Diagnostic[]): readonly Diagnostic[] => open?.diagnostics(found) ?? found
  try {
    return named(check(open?.values()))
  } catch (error) {
    if (error instanceof SluiceError) return named(error.diagnostics)
    throw error
  }
}

function mergedTrees(one: ExplainTree, other: ExplainTree, open: Placeholders): ExplainTree {
  const label = open.text([one.label, other.label])
  const isSame = one.kind === other.kind && one.inputs.length === other.inputs.length
  const notes = one.notes.map((note, i) => open.text([note, other.notes[i] ?? '']) ?? note)
  const shown = isSame && label !== undefined ? [] : ['depends on the values of parameters: shown for some']
  return {
    ...one,
    label: label ?? one.label,
    notes: [...notes, ...shown],
    inputs: isSame ? one.inputs.map((input, i) => mergedTrees(input, other.inputs[i] ?? input, open)) : one.inputs,
  }
}

/** The tree of a query with parameters that have no values, which are named in it; `open` stands for them. */
export function explainOpen(
  open: Placeholders | undefined,
  explain: (parameters: Parameters | undefined) => ExplainTree,
): ExplainTree {
  if (open === undefined) return explain(undefined)
  const tree = mergedTrees(explain(open.values(0)), explain(open.values(1)), open)
  const names = open.names.map((name) => `\`$${name}\``).join(', ')
  return { ...tree, notes: [`planned without values of ${names}`, ...tree.notes] }
}
