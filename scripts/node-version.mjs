// Runs on any version of Node, so it uses only old syntax.

const oldest = [20, 19]

/** One line when this Node is too old, else undefined. `version` is like `process.versions.node`. */
export const nodeVersionProblem = (version) => {
  const [major, minor] = version.split('.').map(Number)
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined
  return `Parlance needs Node ${oldest.join('.')} or later, but this is Node ${version}. Get one at https://nodejs.org/.`
}

export const refuseOldNode = () => {
  const problem = nodeVersionProblem(process.versions.node)
  if (problem === undefined) return
  console.error(problem)
  process.exit(1)
}
