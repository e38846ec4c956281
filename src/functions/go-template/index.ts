export type { Base, Branch, Command, Node, Nodes, Operand, Pipeline, Program } from './ast.ts'
export {
  onStrings,
  onValue,
  type CallContext,
  type FunctionMap,
  type FunctionTable,
  type ParameterType,
  type TemplateFunction,
} from './builtins/definition.ts'
export { builtinFunctions } from './builtins/index.ts'
export { queryEscape } from './builtins/printing.ts'
export { ExpansionFault, positionText, TemplateError, type FaultLocation } from './faults.ts'
export * from './format/index.ts'
export { Interpreter } from './interpreter.ts'
export { ExpansionBudget, templateLimits } from './limits.ts'
export { compilePattern, lowerText, replaceMatches, upperText } from './text.ts'
export * from './values.ts'
