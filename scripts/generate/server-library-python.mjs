export const pythonApi = () => ({})
