/** What test files need to know of the server of their run. They do not load what starts it, which takes half a second each. */

/** The variable of the environment in which they find the superuser's URL, since they run in other processes. */
export const adminUrlVariable = "SKEDCHANGE_TEST_ADMIN_URL";

/** The database that test databases are copied from. */
export const templateName = "skedchange_template";
