-- Takes the column of a seed away: database shop, Azure SQL Database.
-- Run it connected to that database: sqlcmd -b -d <database> -i <this file>
-- Every step checks what it did and ends in an error otherwise. It can be run again: what is done stays as it is.

-- 1. Drop the column ces_seed of dbo.Orders
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
-- Run this when the replica has caught up: how events that wait in the log look afterwards is not documented.
DECLARE @table int = OBJECT_ID(N'[dbo].[Orders]', N'U');
IF @table IS NULL
    THROW 51000, N'there is no table dbo.Orders', 1;
IF EXISTS (SELECT * FROM sys.columns WHERE object_id = @table AND name = N'ces_seed')
BEGIN
    IF NOT EXISTS (SELECT * FROM sys.columns AS c
        JOIN sys.extended_properties AS p ON p.class = 1 AND p.major_id = c.object_id AND p.minor_id = c.column_id
        WHERE c.object_id = @table AND c.name = N'ces_seed' AND p.name = N'ces-replica seed')
        THROW 51000, N'the column ces_seed of dbo.Orders was not added for a seed, and stays', 1;
    ALTER TABLE [dbo].[Orders] DROP COLUMN [ces_seed];
END;
IF EXISTS (SELECT * FROM sys.columns WHERE object_id = @table AND name = N'ces_seed')
    THROW 51000, N'the column ces_seed was not dropped', 1;
GO

-- 2. Drop the column ces_seed of [sales 2026].[it's ]]new]
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
-- Run this when the replica has caught up: how events that wait in the log look afterwards is not documented.
DECLARE @table int = OBJECT_ID(N'[sales 2026].[it''s ]]new]', N'U');
IF @table IS NULL
    THROW 51000, N'there is no table [sales 2026].[it''s ]]new]', 1;
IF EXISTS (SELECT * FROM sys.columns WHERE object_id = @table AND name = N'ces_seed')
BEGIN
    IF NOT EXISTS (SELECT * FROM sys.columns AS c
        JOIN sys.extended_properties AS p ON p.class = 1 AND p.major_id = c.object_id AND p.minor_id = c.column_id
        WHERE c.object_id = @table AND c.name = N'ces_seed' AND p.name = N'ces-replica seed')
        THROW 51000, N'the column ces_seed of [sales 2026].[it''s ]]new] was not added for a seed, and stays', 1;
    ALTER TABLE [sales 2026].[it's ]]new] DROP COLUMN [ces_seed];
END;
IF EXISTS (SELECT * FROM sys.columns WHERE object_id = @table AND name = N'ces_seed')
    THROW 51000, N'the column ces_seed was not dropped', 1;
GO
