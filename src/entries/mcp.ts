/** `sluice/mcp`: a Model Context Protocol endpoint, to pass as the option `mcp` of `createServer`. */
export { agentEndpoint, type AgentOptions, type Ceilings } from '../mcp/index.ts'
export type { AgentCaller, AgentEndpoint, AgentRequest, LoadAgentEndpoint } from '../server/index.ts'
