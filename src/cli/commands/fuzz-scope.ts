import { Option, type Command } from 'commander'
import { SluiceError } from '../../base/index.ts'
import { rowKinds, runScopeFuzz, type LabelScopes, type ScopeFuzzReport } from '../../fuzz/scope/index.ts'
import { labelPredicateOf, labelScope } from '../../server/index.ts'
import type { CommandModule } from '../command.ts'
import { scopeEndpoints } from '../scope-endpoints.ts'
import { addFuzzOptions, percent, runVocabulary, type FuzzArguments, type Vocabulary } from './fuzz-run.ts'

const METRICS = 'metrics'

/** The server's way from a scope over rows to one over labels. */
export const labelScopes: LabelScopes = {
  guardOf: (scope) => labelScope({ scope }),
  canSay: (guard) => {
    try {
      labelPredicateOf(guard)
      return true
    } catch (error) {
      if (error instanceof SluiceError) return false
      throw error
    }
  },
}

function vocabularyOf(kindName: string): Vocabulary<ScopeFuzzReport> {
  const kind = rowKinds.find(({ name }) => name === kindName) ?? METRICS
  return {
    isSelective: kind !== METRICS,
    run: (options) => runScopeFuzz({ ...options, kind, labelScopes, endpoints: scopeEndpoints }),
    failureText: ({ seed, shown, policy, message }) => `seed ${seed}: ${shown}\n  under ${policy}\n  ${message}`,
    summary: ({ cases, failures, refused, mixed }) => ({
      lines: [],
      sentence: `${cases} cases over ${kindName}, ${failures.length} leaks, ${percent(refused, cases)} % refused, ${percent(mixed, cases)} % with 5 to 95 % of the touched rows hidden`,
    }),
  }
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  const kinds = [...rowKinds.map(({ name }) => name), METRICS]
  addFuzzOptions(command)
    .addOption(new Option('--kind <kind>', 'kind of data').choices(kinds).default('logs'))
    .action((options: FuzzArguments & { readonly kind: string }) =>
      runVocabulary(vocabularyOf(options.kind), options, terminal),
    )
}
