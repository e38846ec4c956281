export { shapesDefinition, shapesFuzzer, type Payload, type ShapeCase, type ShapeWays } from './fuzzer.ts'
export { writers, type DrawnRecord, type Expected, type ShapeWriter } from './writers.ts'
