/** What is below the profile: loaded together once that is shown, so that nothing is pushed away by what comes later. */
export const loadSettingsPanels = () => import('./settings-panels.tsx')
