/** What stands on top of the overview until a new installation is set up: null when nothing is left to do. */
export const GetStarted = () => null
