/** `sluice/mcp`: the Model Context Protocol for the option `mcp` of `createServer`. */
export { agentEndpoint, type AgentOptions, type Ceilings } from '../mcp/index.ts'
export type { AgentCaller, AgentEndpoint, AgentRequest, LoadAgentEndpoint } from '../server/index.ts'
