// The actions of a person in the scenes of several pages.
export const click = (name) => (page) => page.getByRole('button', { name, exact: true }).first().click()
