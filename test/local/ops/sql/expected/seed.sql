-- Sends rows that are there already through change event streaming: database shop, Azure SQL Database.
-- Run it connected to that database: sqlcmd -b -d <database> -i <this file>
-- Every step checks what it did and ends in an error otherwise. It can be run again: what is done stays as it is.
-- Rows that were deleted before CES was enabled and are in the replica all the same are not removed by this.
-- Every row is changed: its rowversion changes, and triggers run. Columns that CES leaves out are not sent.
-- Whether an unchanged LOB value is in an update is not documented: compare some rows of the replica afterwards.
-- The replica's rows get ces_seed, too. ops sql --seed-end takes it from the tables again.

-- 1. Add the column ces_seed to dbo.Orders
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
SET XACT_ABORT ON;
DECLARE @table int = OBJECT_ID(N'[dbo].[Orders]', N'U');
IF @table IS NULL
    THROW 51000, N'there is no table dbo.Orders', 1;
IF NOT EXISTS (SELECT * FROM sys.columns WHERE object_id = @table AND name = N'ces_seed')
BEGIN
    BEGIN TRANSACTION;
    ALTER TABLE [dbo].[Orders] ADD [ces_seed] int NULL;
    EXEC sys.sp_addextendedproperty @name = N'ces-replica seed',
        @level0type = N'SCHEMA', @level0name = N'dbo',
        @level1type = N'TABLE', @level1name = N'Orders',
        @level2type = N'COLUMN', @level2name = N'ces_seed';
    COMMIT TRANSACTION;
END;
IF NOT EXISTS (SELECT * FROM sys.columns AS c
    JOIN sys.extended_properties AS p ON p.class = 1 AND p.major_id = c.object_id AND p.minor_id = c.column_id
    WHERE c.object_id = @table AND c.name = N'ces_seed' AND p.name = N'ces-replica seed')
    THROW 51000, N'dbo.Orders has a column ces_seed that was not added for a seed; choose a name with --seed-column', 1;
GO

-- 2. Send the rows of dbo.Orders
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
-- Each row becomes one update event with all of its columns. Needs @include_all_columns = 1 for the table: with 0
-- the event has the key and [ces_seed] only, and nothing is seeded.
-- Other changes can go on meanwhile: every event has its place in the log, and the newest one wins.
IF NOT EXISTS (SELECT * FROM sys.databases WHERE database_id = DB_ID() AND is_event_stream_enabled = 1)
    THROW 51000, N'change event streaming is not enabled in this database', 1;
DECLARE @location nvarchar(4000), @streamed nvarchar(4000), @columns nvarchar(max), @width int, @sql nvarchar(max);
DECLARE @table int = OBJECT_ID(N'[dbo].[Orders]', N'U');
IF @table IS NULL OR NOT EXISTS (SELECT * FROM sys.columns AS c
    JOIN sys.extended_properties AS p ON p.class = 1 AND p.major_id = c.object_id AND p.minor_id = c.column_id
    WHERE c.object_id = @table AND c.name = N'ces_seed' AND p.name = N'ces-replica seed')
    THROW 51000, N'run the step before first: dbo.Orders has no column ces_seed', 1;
SELECT @columns = N'c1 nvarchar(4000), c2 nvarchar(4000), c3 nvarchar(4000), c4 nvarchar(4000), c5 nvarchar(4000), c6 nvarchar(4000), c7 nvarchar(4000), c8 nvarchar(4000)', @width = 8;
WHILE 1 = 1
BEGIN
    SET @sql = CAST(N'' AS nvarchar(max))
        + N'DECLARE @read TABLE ('
        + @columns
        + N'); INSERT @read EXEC sys.sp_help_change_feed_table @source_schema = N''dbo'', @source_name = N''Orders''; SET @result = (SELECT COUNT(*) FROM @read WHERE c2 = N''ces-replica'' AND CASE WHEN c7 LIKE N''[0-9]'' THEN c7 ELSE c8 END NOT IN (N''5'', N''6''));';
    BEGIN TRY
        EXEC sys.sp_executesql @sql, N'@result nvarchar(4000) OUTPUT', @result = @streamed OUTPUT;
        BREAK;
    END TRY
    BEGIN CATCH
        -- 213: another number of columns
        IF ERROR_NUMBER() <> 213 OR @width = 40
            THROW;
        SET @width += 1;
        SET @columns += CONCAT(N', c', @width, N' nvarchar(4000)');
    END CATCH;
END;
IF @streamed = N'0'
    THROW 51000, N'dbo.Orders is not in the group ces-replica', 1;
IF EXISTS (SELECT * FROM sys.triggers AS t JOIN sys.trigger_events AS e ON e.object_id = t.object_id
    WHERE t.parent_id = @table AND t.is_disabled = 0 AND e.type_desc = N'UPDATE')
    PRINT N'dbo.Orders has triggers for updates: they run for every row.';
IF EXISTS (SELECT * FROM sys.tables WHERE object_id = @table AND temporal_type = 2)
    PRINT N'dbo.Orders is system-versioned: every row goes into its history once more.';
DECLARE @key nvarchar(300), @type nvarchar(300);
SELECT @key = QUOTENAME(c.name), @type = TYPE_NAME(c.system_type_id) + CASE
        WHEN TYPE_NAME(c.system_type_id) IN (N'nchar', N'nvarchar') THEN CONCAT(N'(', c.max_length / 2, N')')
        WHEN TYPE_NAME(c.system_type_id) IN (N'binary', N'char', N'varbinary', N'varchar') THEN CONCAT(N'(', c.max_length, N')')
        WHEN TYPE_NAME(c.system_type_id) IN (N'decimal', N'numeric') THEN CONCAT(N'(', c.precision, N', ', c.scale, N')')
        WHEN TYPE_NAME(c.system_type_id) IN (N'datetime2', N'datetimeoffset', N'time') THEN CONCAT(N'(', c.scale, N')')
        ELSE N'' END
FROM sys.indexes AS i
JOIN sys.index_columns AS k ON k.object_id = i.object_id AND k.index_id = i.index_id AND k.key_ordinal = 1
JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
WHERE i.object_id = @table AND i.is_primary_key = 1;
IF @type IS NULL
    THROW 51000, N'the table has no primary key, or one of a type that has no order', 1;
SET @sql = CAST(N'' AS nvarchar(max))
    + N'
DECLARE @from '
    + @type
    + N', @to '
    + @type
    + N', @changed int, @started datetime = GETDATE();
SET @from = (SELECT TOP (1) '
    + @key
    + N' FROM [dbo].[Orders] ORDER BY '
    + @key
    + N');
WHILE @from IS NOT NULL
BEGIN
    SET @to = (SELECT TOP (1) k FROM (SELECT TOP (@rows) '
    + @key
    + N' AS k FROM [dbo].[Orders] WHERE '
    + @key
    + N' >= @from ORDER BY '
    + @key
    + N') AS r ORDER BY k DESC);
    SET @changed = @rows;
    -- More than once where many rows have the same first column of the key.
    WHILE @changed = @rows
    BEGIN
        UPDATE TOP (@rows) [dbo].[Orders] SET [ces_seed] = 2
        WHERE '
    + @key
    + N' >= @from AND '
    + @key
    + N' <= @to AND ([ces_seed] IS NULL OR [ces_seed] <> 2);
        SET @changed = @@ROWCOUNT;
        -- A throughput unit of the hub takes 1,000 events a second, and CES holds the log while it waits for the hub.
        IF @changed > 0
            WAITFOR DELAY ''00:00:01'';
    END;
    IF EXISTS (SELECT * FROM sys.dm_change_feed_errors WHERE entry_time > @started)
        THROW 51000, N''CES reports errors since this seed has begun: see sys.dm_change_feed_errors, then run it again, and it goes on'', 1;
    SET @from = (SELECT TOP (1) '
    + @key
    + N' FROM [dbo].[Orders] WHERE '
    + @key
    + N' > @to ORDER BY '
    + @key
    + N');
END;
';
EXEC sys.sp_executesql @sql, N'@rows int', @rows = 500;
GO

-- 3. Add the column ces_seed to [sales 2026].[it's ]]new]
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
SET XACT_ABORT ON;
DECLARE @table int = OBJECT_ID(N'[sales 2026].[it''s ]]new]', N'U');
IF @table IS NULL
    THROW 51000, N'there is no table [sales 2026].[it''s ]]new]', 1;
IF NOT EXISTS (SELECT * FROM sys.columns WHERE object_id = @table AND name = N'ces_seed')
BEGIN
    BEGIN TRANSACTION;
    ALTER TABLE [sales 2026].[it's ]]new] ADD [ces_seed] int NULL;
    EXEC sys.sp_addextendedproperty @name = N'ces-replica seed',
        @level0type = N'SCHEMA', @level0name = N'sales 2026',
        @level1type = N'TABLE', @level1name = N'it''s ]new',
        @level2type = N'COLUMN', @level2name = N'ces_seed';
    COMMIT TRANSACTION;
END;
IF NOT EXISTS (SELECT * FROM sys.columns AS c
    JOIN sys.extended_properties AS p ON p.class = 1 AND p.major_id = c.object_id AND p.minor_id = c.column_id
    WHERE c.object_id = @table AND c.name = N'ces_seed' AND p.name = N'ces-replica seed')
    THROW 51000, N'[sales 2026].[it''s ]]new] has a column ces_seed that was not added for a seed; choose a name with --seed-column', 1;
GO

-- 4. Send the rows of [sales 2026].[it's ]]new]
SET QUOTED_IDENTIFIER, ANSI_NULLS, NOCOUNT ON;
SET XACT_ABORT OFF;
IF DB_NAME() <> N'shop'
    THROW 51000, N'connect to the database shop first', 1;
-- Each row becomes one update event with all of its columns. Needs @include_all_columns = 1 for the table: with 0
-- the event has the key and [ces_seed] only, and nothing is seeded.
-- Other changes can go on meanwhile: every event has its place in the log, and the newest one wins.
IF NOT EXISTS (SELECT * FROM sys.databases WHERE database_id = DB_ID() AND is_event_stream_enabled = 1)
    THROW 51000, N'change event streaming is not enabled in this database', 1;
DECLARE @location nvarchar(4000), @streamed nvarchar(4000), @columns nvarchar(max), @width int, @sql nvarchar(max);
DECLARE @table int = OBJECT_ID(N'[sales 2026].[it''s ]]new]', N'U');
IF @table IS NULL OR NOT EXISTS (SELECT * FROM sys.columns AS c
    JOIN sys.extended_properties AS p ON p.class = 1 AND p.major_id = c.object_id AND p.minor_id = c.column_id
    WHERE c.object_id = @table AND c.name = N'ces_seed' AND p.name = N'ces-replica seed')
    THROW 51000, N'run the step before first: [sales 2026].[it''s ]]new] has no column ces_seed', 1;
SELECT @columns = N'c1 nvarchar(4000), c2 nvarchar(4000), c3 nvarchar(4000), c4 nvarchar(4000), c5 nvarchar(4000), c6 nvarchar(4000), c7 nvarchar(4000), c8 nvarchar(4000)', @width = 8;
WHILE 1 = 1
BEGIN
    SET @sql = CAST(N'' AS nvarchar(max))
        + N'DECLARE @read TABLE ('
        + @columns
        + N'); INSERT @read EXEC sys.sp_help_change_feed_table @source_schema = N''sales 2026'', @source_name = N''it''''s ]new''; SET @result = (SELECT COUNT(*) FROM @read WHERE c2 = N''ces-replica'' AND CASE WHEN c7 LIKE N''[0-9]'' THEN c7 ELSE c8 END NOT IN (N''5'', N''6''));';
    BEGIN TRY
        EXEC sys.sp_executesql @sql, N'@result nvarchar(4000) OUTPUT', @result = @streamed OUTPUT;
        BREAK;
    END TRY
    BEGIN CATCH
        -- 213: another number of columns
        IF ERROR_NUMBER() <> 213 OR @width = 40
            THROW;
        SET @width += 1;
        SET @columns += CONCAT(N', c', @width, N' nvarchar(4000)');
    END CATCH;
END;
IF @streamed = N'0'
    THROW 51000, N'[sales 2026].[it''s ]]new] is not in the group ces-replica', 1;
IF EXISTS (SELECT * FROM sys.triggers AS t JOIN sys.trigger_events AS e ON e.object_id = t.object_id
    WHERE t.parent_id = @table AND t.is_disabled = 0 AND e.type_desc = N'UPDATE')
    PRINT N'[sales 2026].[it''s ]]new] has triggers for updates: they run for every row.';
IF EXISTS (SELECT * FROM sys.tables WHERE object_id = @table AND temporal_type = 2)
    PRINT N'[sales 2026].[it''s ]]new] is system-versioned: every row goes into its history once more.';
DECLARE @key nvarchar(300), @type nvarchar(300);
SELECT @key = QUOTENAME(c.name), @type = TYPE_NAME(c.system_type_id) + CASE
        WHEN TYPE_NAME(c.system_type_id) IN (N'nchar', N'nvarchar') THEN CONCAT(N'(', c.max_length / 2, N')')
        WHEN TYPE_NAME(c.system_type_id) IN (N'binary', N'char', N'varbinary', N'varchar') THEN CONCAT(N'(', c.max_length, N')')
        WHEN TYPE_NAME(c.system_type_id) IN (N'decimal', N'numeric') THEN CONCAT(N'(', c.precision, N', ', c.scale, N')')
        WHEN TYPE_NAME(c.system_type_id) IN (N'datetime2', N'datetimeoffset', N'time') THEN CONCAT(N'(', c.scale, N')')
        ELSE N'' END
FROM sys.indexes AS i
JOIN sys.index_columns AS k ON k.object_id = i.object_id AND k.index_id = i.index_id AND k.key_ordinal = 1
JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
WHERE i.object_id = @table AND i.is_primary_key = 1;
IF @type IS NULL
    THROW 51000, N'the table has no primary key, or one of a type that has no order', 1;
SET @sql = CAST(N'' AS nvarchar(max))
    + N'
DECLARE @from '
    + @type
    + N', @to '
    + @type
    + N', @changed int, @started datetime = GETDATE();
SET @from = (SELECT TOP (1) '
    + @key
    + N' FROM [sales 2026].[it''s ]]new] ORDER BY '
    + @key
    + N');
WHILE @from IS NOT NULL
BEGIN
    SET @to = (SELECT TOP (1) k FROM (SELECT TOP (@rows) '
    + @key
    + N' AS k FROM [sales 2026].[it''s ]]new] WHERE '
    + @key
    + N' >= @from ORDER BY '
    + @key
    + N') AS r ORDER BY k DESC);
    SET @changed = @rows;
    -- More than once where many rows have the same first column of the key.
    WHILE @changed = @rows
    BEGIN
        UPDATE TOP (@rows) [sales 2026].[it''s ]]new] SET [ces_seed] = 2
        WHERE '
    + @key
    + N' >= @from AND '
    + @key
    + N' <= @to AND ([ces_seed] IS NULL OR [ces_seed] <> 2);
        SET @changed = @@ROWCOUNT;
        -- A throughput unit of the hub takes 1,000 events a second, and CES holds the log while it waits for the hub.
        IF @changed > 0
            WAITFOR DELAY ''00:00:01'';
    END;
    IF EXISTS (SELECT * FROM sys.dm_change_feed_errors WHERE entry_time > @started)
        THROW 51000, N''CES reports errors since this seed has begun: see sys.dm_change_feed_errors, then run it again, and it goes on'', 1;
    SET @from = (SELECT TOP (1) '
    + @key
    + N' FROM [sales 2026].[it''s ]]new] WHERE '
    + @key
    + N' > @to ORDER BY '
    + @key
    + N');
END;
';
EXEC sys.sp_executesql @sql, N'@rows int', @rows = 500;
GO
