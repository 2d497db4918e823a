/** Selects dialogs and questions. */
export const dialogs = '[role="dialog"], [role="alertdialog"]'
