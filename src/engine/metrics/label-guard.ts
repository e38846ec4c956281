import { Options } from '../../base/index.ts'
import type { LabelMatcher, LabelPredicate } from '../../plan/index.ts'

const matchers = new Options<LabelMatcher>(
  { label: 'string', op: { words: { '=': true, '!=': true, '=~': true, '!~': true } }, value: 'string' },
  ['label', 'op', 'value'],
)

type Branch = Exclude<LabelPredicate, { readonly kind: 'matcher' }>

const leaves = new Options<Exclude<LabelPredicate, Branch>>({ kind: { words: { matcher: true } }, matcher: matchers }, [
  'kind',
  'matcher',
])
const branches = new Options<Branch>({ kind: { words: { all: true, any: true, 'none-of': true } }, args: 'list' }, [
  'kind',
  'args',
])

/**
 * Checks the members of a guard on labels. Throws SluiceError `options/…` for any unknown member, because ignoring it
 * could reveal hidden series.
 */
export function checkGuard(guard: LabelPredicate, owner: string): void {
  const open: { readonly given: unknown; readonly owner: string }[] = [{ given: guard, owner }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { given } = next
    if (isLeaf(given)) {
      leaves.check(given, next.owner)
      continue
    }
    branches.check(given, next.owner)
    const { args } = given as Branch
    args.forEach((arg, i) => open.push({ given: arg, owner: `${owner}, in \`args[${i}]\`` }))
  }
}

function isLeaf(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'kind' in given && given.kind === 'matcher'
}
