export * from './bucket-value.ts'
export * from './bytes.ts'
export * from './coerce.ts'
export * from './compare.ts'
export * from './exact-sum.ts'
export * from './fold.ts'
export * from './group-key.ts'
export * from './iso8601-millis.ts'
export * from './network.ts'
export {
  collapseNumbers,
  collapseNumbersPretty,
  compareFolded,
  foldNumbers,
  textOfFolded,
  type FoldedText,
} from './number-folds.ts'
export * from './numbers.ts'
export * from './record-hash.ts'
export * from './tests/compile.ts'
export { mayBeNumber } from './tests/range.ts'
export { namedTests } from './tests/named/index.ts'
export type { TextPredicate, ValuePredicate, WordNeed } from './tests/ops.ts'
export * from './utf8.ts'
export * from './words.ts'
